"""The C compiler of this machine and what it makes: libraries, kept between runs, and their sizes."""
