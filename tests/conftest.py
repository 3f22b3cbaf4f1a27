"""What every test may use."""

import os

from hypothesis import HealthCheck, settings

from tests.chance import IN_CI

# CI draws the same examples each time, so a red run means a change and not bad luck; a developer's
# machine looks at fewer but always new ones. HYPOTHESIS_PROFILE=long searches for an evening.
slow_machine = [HealthCheck.too_slow]
settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, suppress_health_check=slow_machine
)
settings.register_profile(
    "dev", max_examples=50, deadline=None, print_blob=True, suppress_health_check=slow_machine
)
settings.register_profile("long", parent=settings.get_profile("dev"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if IN_CI else "dev"))
