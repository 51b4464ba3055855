"""Calls the DirectX Shader Compiler in its library (libdxcompiler.so, 1.7 or newer) through its COM interfaces. The
program dxc is not needed; the arguments are the same as the program's."""
import ctypes
import os
import subprocess
import sys
import uuid


class _Buffer(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("bytes", ctypes.c_size_t), ("encoding", ctypes.c_uint32)]


def _guid(text):
    return (ctypes.c_ubyte * 16).from_buffer_copy(uuid.UUID(text).bytes_le)


_ADDRESS, _COUNT = ctypes.c_void_p, ctypes.c_uint32
_UTF8 = 65001

# From dxcapi.h. Indices of methods do not count the first three, which are IUnknown's.
_COMPILER = _guid("73e22d93-e6ce-47f3-b5bf-f0664f39c1b0"), _guid("228b4687-5a6a-4730-900c-9702b2203f54")
_UTILS = _guid("6245d6af-66e0-48fd-80b4-4d271796748c"), _guid("4605c4cb-2019-492a-ada4-65f20bb7d67f")
_RESULT = _guid("58346cda-dde7-4497-9461-6f87af5e0659")
_RELEASE = -1
_COMPILE, _DISASSEMBLE = 0, 1
_INCLUDE_HANDLER = 6
_STATUS, _OUTPUT, _MESSAGES = 0, 1, 2
_POINTER, _SIZE = 0, 1


class Compiler:
    def __init__(self, library, first=None):
        """`first`: the index of the first method after IUnknown's. Older libraries, whose IUnknown has a destructor, have
        two more entries. A child process, which may crash, tries both."""
        self._first = first or next((n for n in (3, 5) if _works(library, n)), None)
        if not self._first:
            raise OSError(f"{library}: does not compile: is it DXC's, 1.7 or newer?")
        self._create = ctypes.CDLL(library).DxcCreateInstance
        self._compiler = self._instance(*_COMPILER)
        utils = self._instance(*_UTILS)
        self._includes = ctypes.c_void_p()
        self._call(utils, _INCLUDE_HANDLER, (_ADDRESS, ctypes.addressof(self._includes)))

    def compile(self, source, arguments):
        """Returns the container, or None if the source is refused, and the messages."""
        words = (ctypes.c_wchar_p * len(arguments))(*arguments)
        return self._run(_COMPILE, source.encode(), (_ADDRESS, ctypes.addressof(words)), (_COUNT, len(arguments)),
                         (_ADDRESS, self._includes))

    def disassemble(self, container):
        return self._run(_DISASSEMBLE, container)[0].decode(errors="replace")

    def _instance(self, class_id, interface_id):
        out = ctypes.c_void_p()
        if self._create(class_id, interface_id, ctypes.byref(out)) or not out:
            raise OSError("DxcCreateInstance failed")
        return out

    def _call(self, this, method, *arguments, result=ctypes.c_int32):
        table = ctypes.cast(this, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
        place = 2 if method == _RELEASE else self._first + method
        prototype = ctypes.CFUNCTYPE(result, ctypes.c_void_p, *(kind for kind, _ in arguments))
        return prototype(table[place])(this, *(value for _, value in arguments))

    def _run(self, method, data, *arguments):
        buffer, result, status = _Buffer(data, len(data), _UTF8), ctypes.c_void_p(), ctypes.c_int32()
        failed = self._call(self._compiler, method, (_ADDRESS, ctypes.addressof(buffer)), *arguments,
                            (_ADDRESS, ctypes.addressof(_RESULT)), (_ADDRESS, ctypes.addressof(result)))
        if failed:
            raise OSError(f"DXC: 0x{failed & 0xffffffff:08x}")
        self._call(result, _STATUS, (_ADDRESS, ctypes.addressof(status)))
        output = None if status.value else self._blob(result, _OUTPUT)
        messages = self._blob(result, _MESSAGES).rstrip(b"\0").decode(errors="replace")
        self._call(result, _RELEASE)
        return output, messages

    def _blob(self, result, which):
        blob = ctypes.c_void_p()
        if self._call(result, which, (_ADDRESS, ctypes.addressof(blob))) or not blob:
            return b""
        pointer = self._call(blob, _POINTER, result=ctypes.c_void_p)
        data = ctypes.string_at(pointer, self._call(blob, _SIZE, result=ctypes.c_size_t)) if pointer else b""
        self._call(blob, _RELEASE)
        return data


def _works(library, first):
    child = subprocess.run([sys.executable, "-B", os.path.abspath(__file__), library, str(first)], capture_output=True,
                           check=False)
    return child.returncode == 0


if __name__ == "__main__":
    SHADER = "[numthreads(1, 1, 1)] void main() {}"
    sys.exit(Compiler(sys.argv[1], int(sys.argv[2])).compile(SHADER, ["-T", "cs_6_0", "-E", "main"])[0] is None)
