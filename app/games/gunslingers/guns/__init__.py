"""Guns and damage to aircraft (GS-C-1 to GS-C-12).

`attack.window` is asked after each flight point, `hits.damage` wherever damage may be due.
"""

from app.games.gunslingers.guns.attack import window as window
from app.games.gunslingers.guns.hits import damage as damage
