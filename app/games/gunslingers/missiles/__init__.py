"""The Air to Air Missile Launch Phase (GS-AAM) and missiles in flight (GS-C-20 to GS-C-26).

`flight.after_move` is asked after the move of a missile's target, `flight.shoot_out` after both moves of one.
"""
