"""Schema migrations, on the database that most servers have."""
