"""The proof of generated text: a certificate beside the code, and a file that checks it without taut."""
