"""What every game must keep. For games in this project and for plug-ins alike:

    pytest --pyargs app.testing --game my-game

or, among tests of one's own, a file of two lines:

    from app.testing.suite import *

    # and in conftest.py, before anything else: app.testing.games.only("my-game")

It needs the extra `testing` (`contrail-vtt[testing]`). A game is named by its id, or by its package where it is
not installed. The server never imports any of this.
"""
