"""Guns and damage to aircraft (GS-C-1 to GS-C-12).

`attack.window` is asked after each flight point, `hits.damage` wherever damage may be due.
"""
