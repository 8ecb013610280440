"""The proof of generated text: a certificate written with the code, and a program that checks it without taut."""
