"""Our Space Age Air Force."""
