"""Programs that run on a terminal of a given width."""
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

import patience

END = b"\0the program has ended\0"


def on_terminal(command, environment, columns=0, **streams):
    """(exit code, what was written to the terminal). `streams` are those of subprocess.Popen; the others are the terminal.
    A terminal that no program has open may lose what nobody has read: it stays open until our own mark has come out."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(command, env=environment, **{"stdin": side, "stdout": side, "stderr": side, **streams}) as process:
        def mark():
            try:
                process.wait(patience.S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.write(side, END)
        marker = threading.Thread(target=mark)
        marker.start()
        out = b""
        while not out.endswith(END):
            out += os.read(main, 65536)
        marker.join()
    os.close(main)
    os.close(side)
    return process.returncode, out[:-len(END)].decode().replace("\r\n", "\n")
