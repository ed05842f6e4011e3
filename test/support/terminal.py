"""Runs a program at a terminal of its own. argv[1] is JSON: command, columns, rows, and steps of [pattern, keys].

Writes what the terminal shows to stdout, and ends with the program's exit code. A pattern that doesn't come
within the time ends with 124. Keys are typed once the program listens: while the terminal shows nothing of them. Keys
of the form "now:<keys>" don't wait for that; "file:<path>" waits for that file too, and its content is typed; "close:"
closes the terminal. If a signal ends the program, the exit code is 128 and its number.
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time

plan = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.execvp(plan["command"][0], plan["command"])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", plan["rows"], plan["columns"], 0, 0))

shown = b""
looked = 0
steps = list(plan["steps"])
end = time.monotonic() + 40
while time.monotonic() < end:
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            chunk = b""
        if not chunk:
            break
        shown += chunk
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
    if steps:
        pattern, keys = steps[0]
        found = re.search(pattern.encode(), shown[looked:])
        if found and keys == "close:":
            os.close(terminal)
            break
        if found and keys.startswith("file:"):
            if not os.path.exists(keys[5:]):
                continue
            keys = open(keys[5:], encoding="utf8").read()
        # A prompt is drawn before it listens.
        listens = not termios.tcgetattr(terminal)[3] & termios.ECHO
        if found and (listens or keys.startswith("now:")):
            steps.pop(0)
            looked += found.end()
            time.sleep(0.05)
            os.write(terminal, keys.removeprefix("now:").encode())
else:
    os.kill(child, 9)
    os.waitpid(child, 0)
    sys.exit(124)

_, status = os.waitpid(child, 0)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if code >= 0 else 128 - code)
