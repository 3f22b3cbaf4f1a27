"""The doors: pages and the JSON interface. They know HTTP, HTML and who is asking, and no rules.

Templates get views (app.tables.views), never a state.

    api                         the JSON interface, which `openapi` describes
    lobby, tables, stream       to a table; at it; what comes by itself
    after, timelines, audit     when a game is over; the dice at any time
    rules, setups, setup_form, simulations, book    beside tables
    deps, guard, errors         who asks and how often; what concerns every request; refusals
    page, people, invites, reading, templating, when, assets    what several pages need
    health                      for whoever runs the server
"""
