"""What a new kernel adds to files that are there: text in, text out.

Each function refuses a text in which it does not find its place.
"""

import ast
import re
import sys


class RefusedError(Exception):
    """The skeleton cannot be written; nothing has been."""


def with_line(text: str, kind: str, line: str) -> str:
    """Adds a line where it belongs among the sorted lines of its kind."""
    others = list(re.finditer(rf"^{kind}\n", text, re.MULTILINE))
    if not others:
        raise RefusedError(f"expected lines such as {line.strip()!r}, found none")
    before = [other.end() for other in others if other[0] < line + "\n"]
    at = before[-1] if before else others[0].start()
    return f"{text[:at]}{line}\n{text[at:]}"


def with_module(text: str, name: str, kernel: str) -> str:
    """Adds a kernel to the file of its family; the formatter sorts."""
    body = text.rstrip("\n")
    if "\npub(crate) mod " not in text:
        return f"{body}\n\npub(crate) mod {name};\n\npub use {name}::{kernel};\n"
    text = with_line(text, r"(pub\(crate\) )?mod \w+;", f"pub(crate) mod {name};")
    return with_line(text, r"pub use [\w:]+.*;", f"pub use {name}::{kernel};")


def with_id(text: str, constant: str, family: str, kernel: str) -> str:
    """Adds the next free id."""
    given = list(re.finditer(r'^    (\w+) = (\d+), "\w+";\n', text, re.MULTILINE))
    if not given:
        raise RefusedError("expected ids of kernels, found none")
    if constant in {match[1] for match in given}:
        raise RefusedError(f"expected no id {constant}, found one")
    at, number = given[-1].end(), 1 + max(int(match[2]) for match in given)
    added = f'    /// [`crate::{family}::{kernel}`]\n    {constant} = {number}, "{kernel}";\n'
    return text[:at] + added + text[at:]


def with_case(text: str, name: str, added: str) -> str:
    """Adds a kernel to what the firmware image runs of its family."""
    run = r"^pub\(super\) fn run\(.*\) -> Result \{\n((?:    .*\n)*?)    Ok\(\(\)\)\n"
    found = re.search(run, text, re.MULTILINE)
    if not found:
        raise RefusedError("expected a function `run` that ends in `Ok(())`, found none")
    return f"{text[: found.end(1)]}    {name}(report)?;\n{text[found.end(1) :]}\n{added}"


def with_refusal(text: str, added: str) -> str:
    """Adds a call to those that a family refuses."""
    if not text.endswith("\n]\n"):
        raise RefusedError("expected a list at the end")
    return text.removesuffix("]\n") + added + "]\n"


def with_class(text: str, kernel: str, declaration: str) -> str:
    """Adds a class to those of a family."""
    text = with_names(text, "declare", ["declare"])
    text = with_names(text, "marshal", ["Kernel", "Map", "refused", "shown"])
    if text.count("items: &[") != 1:
        raise RefusedError("expected one list `items: &[`")
    text = text.replace("items: &[", f"items: &[{kernel}::ITEM, ")
    return f"{text}\n{declaration}"


def with_names(text: str, module: str, names: list[str]) -> str:
    """Adds names to those that are used of a module; the formatter sorts."""
    used = re.search(rf"^use crate::{module}::\{{?([\w, \n]*)\}}?;$", text, re.MULTILINE)
    if not used:
        raise RefusedError(f"expected a line `use crate::{module}::{{..}};`, found none")
    every = dict.fromkeys([*re.findall(r"\w+", used[1]), *names])
    return text.replace(used[0], f"use crate::{module}::{{{', '.join(every)}}};")


def with_row(text: str, kernel: str, family: str) -> str:
    """Adds a kernel to the row of its family, which may be a new one, in the table of kernels."""
    if row := re.search(rf"^\| `{family}` \| .*(?= \|$)", text, re.MULTILINE):
        return f"{text[: row.end()]}, `{kernel}`{text[row.end() :]}"
    rows = list(re.finditer(r"^\| `\w+` \| .* \|\n", text, re.MULTILINE))
    if not rows:
        raise RefusedError("expected a table of kernels, found none")
    at = rows[-1].end()
    return f"{text[:at]}| `{family}` | `{kernel}` |\n{text[at:]}"


def with_definition(text: str, added: str, between: str) -> str:
    """Adds a class or function to a module, and what it imports to the imports there.

    `between` is the empty lines between definitions.
    """
    doc, present, definitions = module_parts(text)
    _, wanted, new = module_parts(added)
    head = "\n\n".join(filter(None, [doc, merged(present + wanted)]))
    return between.join(filter(None, [head, definitions, new])) + "\n"


def module_parts(text: str) -> tuple[str, list[ast.stmt], str]:
    """The docstring, the imports and the rest of a module."""
    body, lines = ast.parse(text).body, text.splitlines()
    doc = body[0].end_lineno or 0 if isinstance(body[0], ast.Expr) else 0
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    end = max((node.end_lineno or 0 for node in imports), default=doc)
    return "\n".join(lines[:doc]), list(imports), "\n".join(lines[end:]).strip("\n")


def merged(imports: list[ast.stmt]) -> str:
    """Import statements in the order of the formatter: each module once, in three groups."""
    plain, names = set[str](), dict[str, set[str]]()
    for node in imports:
        if isinstance(node, ast.ImportFrom):
            names.setdefault(str(node.module), set()).update(map(ast.unparse, node.names))
        else:
            plain.add(ast.unparse(node))
    lines = sorted(plain) + [
        f"from {module} import {', '.join(sorted(names[module], key=classes_first))}"
        for module in sorted(names)
    ]
    groups: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for line in lines:
        module = line.split()[1].partition(".")[0]
        own = module in ("passband", "references")
        groups[2 if own else module not in sys.stdlib_module_names].append(line)
    return "\n\n".join("\n".join(group) for group in groups.values() if group)


def classes_first(name: str) -> tuple[bool, bool, str]:
    """The order of imported names: constants, classes, functions."""
    return not name.isupper(), not name[0].isupper(), name.lower()
