"""F-14 Tomcats."""
