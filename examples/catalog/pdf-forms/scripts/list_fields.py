"""Print every form field of a PDF as one JSON object a line."""
import json
import sys

from pypdf import PdfReader

KINDS = {"/Tx": "text", "/Btn": "button", "/Ch": "choice", "/Sig": "signature"}


def main(path: str) -> None:
    for name, field in (PdfReader(path).get_fields() or {}).items():
        print(json.dumps({
            "name": name,
            "type": KINDS.get(field.get("/FT"), "unknown"),
            "values": [str(v) for v in field.get("/_States_", [])],
            "value": None if field.get("/V") is None else str(field["/V"]),
        }, ensure_ascii=False))


if __name__ == "__main__":
    main(sys.argv[1])
