"""images.py XBENCH SCHEMA ROOT: images in pairs, on Vulkan and, where CUDA's emulation is there, against CUDA: formats, samplers,
contents, what a kernel leaves out, and what is refused."""

import array
import json
import struct
import unittest

import pairs
import results

BOTH = "--backend all"

# GLSL's name of the format: Format, Unorm, the type of a surface.
FORMATS = {
    "r32f": ("float32", False, "float"), "rg32f": ("float32x2", False, "float2"), "rgba32f": ("float32x4", False, "float4"),
    "r16f": ("float16", False, "unsigned short"), "rg16f": ("float16x2", False, "ushort2"),
    "rgba16f": ("float16x4", False, "ushort4"), "r8": ("uint8", True, "uchar1"), "rg8": ("uint8x2", True, "uchar2"),
    "rgba8": ("uint8x4", True, "uchar4"), "r8ui": ("uint8", False, "uchar1"), "rgba8ui": ("uint8x4", False, "uchar4"),
    "r32i": ("int32", False, "int"), "rg32i": ("int32x2", False, "int2"), "rgba32i": ("int32x4", False, "int4"),
    "r32ui": ("uint32", False, "unsigned int"), "rgba32ui": ("uint32x4", False, "uint4"),
}

COPY = """#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0, FORMAT) uniform readonly KINDimage2D from;
layout(binding = 1, FORMAT) uniform KINDimage2D to;
void main()
{
  const ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(from);
  if (at.x < size.x && at.y < size.y)
    imageStore(to, size - 1 - at, imageLoad(from, at));
}
"""
TURN = """template <class TYPE> __device__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int columns, int rows)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, texel = sizeof(TYPE);
  if (x < columns && y < rows)
    surf2Dwrite(surf2Dread<TYPE>(from, x * texel, y), to, (columns - 1 - x) * texel, rows - 1 - y);
}
"""

TYPED = """Buffer<float> x : register(t0);
RWBuffer<float> y : register(u0);
RWBuffer<uint> count : register(u1);
cbuffer Arguments : register(b0) { uint n; };
[numthreads(64, 1, 1)] void twice(uint3 id : SV_DispatchThreadID)
{
  uint length;
  LENGTH
  if (id.x < length) { y[id.x] = 2 * x[id.x]; InterlockedAdd(count[id.x % 3], 1); }
}
"""
TYPED_GLSL = """#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Arguments { uint n; };
layout(binding = 0) uniform samplerBuffer x;
layout(binding = 1, r32f) uniform writeonly imageBuffer y;
layout(binding = 2) buffer Count { int count[]; };
void main()
{
  const uint i = gl_GlobalInvocationID.x;
  if (i >= n) return;
  imageStore(y, int(i), vec4(2 * texelFetch(x, int(i)).x));
  atomicAdd(count[i % 3], 1);
}
"""
FETCHED = """extern "C" __global__ void twice(cudaTextureObject_t x, float *y, int *count, unsigned n)
{
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 2 * tex1Dfetch<float>(x, i);
  atomicAdd(&count[i % 3], 1);
}
"""

MODES = [{}, {"Filter": "linear"}, {"Address": "border"}, {"Filter": "linear", "Address": "border"},
         {"Coordinates": "texels", "Filter": "linear"}, {"Coordinates": "normalized", "Address": "wrap"},
         {"Coordinates": "normalized", "Filter": "linear"}]
# Places in the image and around it.
PLACE = "(PAIR(x, y) * 1.5f - 3.25f) / PAIR(columns, rows)"


def half(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


class Images(pairs.Case):
    def manifest(self, sides, buffers, tolerance=None, **shader):
        what = {"GroupSize": [8, 4], "DispatchGroupCount": ["ceil(columns/8)", "ceil(rows/4)"], **shader}
        rules = [{"Actual": b["Name"], "Rule": "BufferFloatEpsilon", "Epsilon": tolerance} for b in buffers
                 if b["Access"] != "in" and tolerance]
        self.write("p.json", json.dumps({"Name": "p", "Sides": sides, "Size": "5x7", "Buffers": buffers, "Shaders": [what],
                                         **({"Results": rules} if rules else {})}))

    def good(self, sides, arguments=""):
        """All sides are right; returns their results."""
        self.pair(f"p.json {BOTH if sides > 1 else '--backend vulkan --unchecked'} {arguments} --json r.json")
        own = self.own("r.json")
        self.assertEqual([(r["outcome"], r["verified"]) for r in own], [("ok", sides > 1 or None)] * sides)
        return own

    def bad(self, message, arguments="--unchecked --backend vulkan", exit_code=2):
        self.assertIn(message, "".join(self.pair(f"p.json {arguments}", exit_code)))

    def test_formats(self):
        """Each texel of each format comes through a storage image and a surface, turned round."""
        for names in [list(FORMATS)[:8], list(FORMATS)[8:]]:
            kinds = [name[-2 if name.endswith("ui") else -1] if name[-1] == "i" else "" for name in names]
            shader = "#version 450\nlayout(local_size_x = 8, local_size_y = 4) in;\n"
            kernel, body, copies, buffers = [], "", "", []
            for i, (name, kind) in enumerate(zip(names, kinds)):
                number, unorm, surface = FORMATS[name]
                shader += f"layout(binding = {2 * i}, {name}) uniform readonly {kind}image2D from{i};\n" \
                          f"layout(binding = {2 * i + 1}, {name}) uniform {kind}image2D to{i};\n"
                body += f"    imageStore(to{i}, size - 1 - at, imageLoad(from{i}, at));\n"
                kernel.append(f"cudaSurfaceObject_t from{i}, cudaSurfaceObject_t to{i}")
                copies += f"  turn<{surface}>(from{i}, to{i}, columns, rows);\n"
                for buffer, access in [(f"from{i}", "in"), (f"to{i}", "out")]:
                    buffers.append({"Name": buffer, "Access": access, "Format": number, "Image": {"Unorm": True} if unorm else {}})
            self.write("turn.comp", shader + "void main()\n{\n  const ivec2 at = ivec2(gl_GlobalInvocationID.xy), "
                       f"size = imageSize(from0);\n  if (at.x < size.x && at.y < size.y) {{\n{body}  }}\n}}\n")
            self.write("turn.cu", TURN + f"__global__ void all({', '.join(kernel)}, int columns, int rows)\n{{\n{copies}}}\n")
            self.manifest(["turn.comp", {"Source": "turn.cu", "Shaders": [{"Entry": "all"}],
                                         "Arguments": {"columns": "columns", "rows": "rows"}}], buffers)
            for size in ["1x1", "33x17"]:
                with self.subTest(formats=names, size=size):
                    self.good(2, f"-n {size}")

    def test_values(self):
        """What is in an image follows from the file: a half, turned round."""
        self.write("turn.comp", COPY.replace("FORMAT", "rg16f").replace("KIND", ""))
        values = [half(i / 4) for i in range(12)]
        head = "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3, 2), }".ljust(117) + "\n"
        self.write("x.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                   array.array("H", values).tobytes())
        self.manifest(["turn.comp"], [{"Name": "from", "Access": "in", "Format": "float16x2", "Image": {}, "Fill": "x.npy"},
                                      {"Name": "to", "Access": "out", "Format": "float16x2", "Image": {}}])
        self.good(1, "-n 2x3 --save to=y.npy")
        with open(self.path("y.npy"), "rb") as file:
            head, got = file.read(128), array.array("H", file.read())
        self.assertIn(b"'shape': (2, 3, 2), }", head)
        turned = [values[2 * (5 - i // 2) + i % 2] for i in range(12)]
        self.assertEqual(list(got), turned)
        self.manifest(["turn.comp"], [{"Name": "from", "Access": "in", "Format": "float16x2", "Image": {}, "Fill": "y.npy"},
                                      {"Name": "to", "Access": "out", "Format": "float16x2", "Image": {}}])
        self.good(1, "-n 2x3 --save to=x2.npy --save from=from.npy")
        for name, expected in (("x2", "x"), ("from", "y")):
            with open(self.path(f"{name}.npy"), "rb") as file, open(self.path(f"{expected}.npy"), "rb") as as_given:
                self.assertEqual(file.read()[128:], as_given.read()[128:])

    def write_samplers(self, modes, together):
        """Both halves, with an image and an output for each mode; `together`: a sampler has the binding of its image."""
        heads, body, kernel, copies, buffers = "", "", [], "", []
        for i, how in enumerate(modes):
            texels = [how.get("Coordinates", usual) == "texels" for usual in ("normalized", "texels")]
            place = [PLACE.replace("PAIR(columns, rows)", "PAIR(1, 1)") if one else PLACE for one in texels]
            at = [f"[[vk::binding({b})]] " if together else "" for b in (2 * i, 2 * i + 1)]
            heads += f"{at[0]}Texture2D<float2> image{i};\n{at[0]}SamplerState mode{i};\n{at[1]}RWTexture2D<float2> to{i};\n"
            body += f"    to{i}[id.xy] = image{i}.SampleLevel(mode{i}, {place[0].replace('PAIR', 'float2')}, 0);\n"
            kernel.append(f"cudaTextureObject_t image{i}, cudaSurfaceObject_t to{i}")
            each = [place[1].replace("PAIR(x, y)", axis).replace("PAIR(1, 1)", "1").replace("PAIR(columns, rows)", f"(float){size}")
                    for axis, size in [("x", "columns"), ("y", "rows")]]
            copies += f"    surf2Dwrite(tex2D<float2>(image{i}, {each[0]}, {each[1]}), to{i}, x * 8, y);\n"
            buffers += [{"Name": f"image{i}", "Access": "in", "Format": "float32x2", "Image": how},
                        {"Name": f"to{i}", "Access": "out", "Format": "float32x2", "Image": {}}]
        self.write("place.hlsl", f"""{heads}{'[[vk::binding(40)]] ' if together else ''}cbuffer Arguments {{ int columns; int rows; }};
[numthreads(8, 4, 1)] void place(uint3 id : SV_DispatchThreadID)
{{
  const float x = id.x, y = id.y;
  if (id.x < uint(columns) && id.y < uint(rows)) {{
{body}  }}
}}
""")
        self.write("place.cu", f"""__global__ void place({', '.join(kernel)}, int columns, int rows)
{{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) {{
{copies}  }}
}}
""")
        self.manifest(["place.hlsl", "place.cu"], buffers, 2 / 256, Entry="place",
                      Arguments={"columns": "columns", "rows": "rows"})

    def test_samplers(self):
        """Filters, address modes and coordinates, alike on both APIs."""
        self.write_samplers(MODES, True)
        self.good(2, "-n 13x11")
        self.write_samplers([MODES[3]], False)
        self.good(2, "-n 13x11")
        self.write_samplers(MODES[:2], False)
        self.bad("its images have different Filter, Address or Coordinates")

    def test_one_side_has_a_buffer(self):
        """A pointer gets the texels row after row; in and out is one image, and scratch another."""
        self.write("two.hlsl", """RWTexture2D<float> data : register(u0);
RWTexture2D<float> between : register(u1);
[numthreads(8, 4, 1)] void first(uint3 id : SV_DispatchThreadID)
{
  uint columns, rows;
  data.GetDimensions(columns, rows);
  if (id.x < columns && id.y < rows)
    between[id.xy] = data[id.xy] * 2;
}
[numthreads(8, 4, 1)] void second(uint3 id : SV_DispatchThreadID)
{
  uint columns, rows;
  data.GetDimensions(columns, rows);
  if (id.x < columns && id.y < rows)
    data[id.xy] = between[uint2(columns - 1 - id.x, id.y)] + 1;
}
""")
        self.write("two.cu", """__global__ void first(float *data, float *between, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    between[i] = data[i] * 2;
}
__global__ void second(float *data, float *between, int n, int columns)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = between[i / columns * columns + columns - 1 - i % columns] + 1;
}
""")
        flat = {"GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"]}
        self.write("p.json", json.dumps({
            "Name": "p", "Size": "9x20", "Sides": ["two.hlsl", {"Source": "two.cu", **flat, "Shaders": [
                {"Arguments": {"n": "n"}}, {"Arguments": {"n": "n", "columns": "columns"}}]}],
            "Buffers": [{"Name": "data", "Access": "inout", "Format": "float32"},
                        {"Name": "between", "Access": "scratch", "Format": "float32"}],
            "Shaders": [{"Entry": e, "GroupSize": [8, 4], "DispatchGroupCount": ["ceil(columns/8)", "ceil(rows/4)"]}
                        for e in ("first", "second")]}))
        self.good(2)

    def test_side_with_another_format(self):
        """One side writes floats, the other one fractions of 255: the message says what to give, and that is enough."""
        small, large = (COPY.replace("FORMAT", "rgba8", 1).replace("FORMAT", name).replace("KIND", "") for name in ("rgba8", "rgba32f"))
        self.write("small.comp", small)
        self.write("large.comp", large)
        buffers = [{"Name": name, "Access": access, "Format": "uint8x4", "Image": {"Unorm": True}} for name, access in
                   (("from", "in"), ("to", "out"))]
        self.manifest(["small.comp", "large.comp"], buffers)
        own = '"Buffers": [{"Name": "to", "Format": "float32x4"}]'
        self.bad(f"large.comp: to has texels of format rgba32f in the code, of rgba8 in the pair: give this side its own, as in {own}")
        self.manifest(["small.comp", {"Source": "large.comp", **json.loads(f"{{{own}}}")}], buffers)
        self.pair("p.json --backend vulkan")

    def test_mistakes(self):
        """A texel that is left out, one that is wrong, and a write beyond the image."""
        buffers = [{"Name": "from", "Access": "in", "Format": "float32", "Image": {}},
                   {"Name": "to", "Access": "out", "Format": "float32", "Image": {}}]
        right = COPY.replace("FORMAT", "r32f").replace("KIND", "")
        self.write("right.comp", right)
        self.write("turn.comp", right.replace("at.y < size.y)", "at.y < size.y && at != ivec2(2, 1))"))
        self.manifest(["turn.comp"], buffers)
        self.bad("to[25] was not written", exit_code=1)
        self.write("turn.comp", right.replace("imageLoad(from, at)", "imageLoad(from, at) * (at == ivec2(0) ? 2 : 1)"))
        self.manifest(["right.comp", "turn.comp"], buffers)
        self.bad("to[34] (row 4, column 6) is", BOTH.replace("all", "vulkan"), 1)
        self.write("dim.comp", COPY.replace("FORMAT", "r8ui").replace("KIND", "u").replace("imageLoad(from, at)", "imageLoad(from, at) / 2"))
        self.write("bright.comp", COPY.replace("FORMAT", "r8ui").replace("KIND", "u").replace(
            "imageLoad(from, at)", "(imageLoad(from, at) + 1) / 2"))
        self.manifest(["dim.comp", "bright.comp"], [{**b, "Format": "uint8"} for b in buffers], 1)
        self.good(2)
        with open(self.path("p.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        manifest["Results"] = [{"Actual": "to", "Rule": "BufferFloatULP", "ULPT": 1}]
        self.write("p.json", json.dumps(manifest))
        self.bad("elements differ (ulp are for floats: --tolerance 1)", BOTH.replace("all", "vulkan"), 1)
        self.write("turn.cu", TURN.replace("x < columns &&", "x <= columns &&") + "__global__ void all(cudaSurfaceObject_t from, "
                   "cudaSurfaceObject_t to, int columns, int rows)\n{\n  turn<float>(from, to, columns, rows);\n}\n")
        self.manifest(["turn.cu"], buffers, Entry="all", Arguments={"columns": "columns", "rows": "rows"})
        self.bad("beyond the image", "--unchecked --backend all", 4)

    def test_checks(self):
        """Texels are no wrong addresses to the checks, and a remainder of signed numbers has its own."""
        self.write("turn.cu", TURN.replace("(columns - 1 - x)", "((columns - 1 - x) % columns)") +
                   "__global__ void all(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int columns, int rows)\n"
                   "{\n  turn<float>(from, to, columns, rows);\n}\n")
        self.manifest(["turn.cu"], [{"Name": "from", "Access": "in", "Format": "float32", "Image": {}},
                                    {"Name": "to", "Access": "out", "Format": "float32", "Image": {}}], Entry="all",
                      Arguments={"columns": "columns", "rows": "rows"})
        self.pair("p.json --backend cpu --unchecked --check memory,races --json r.json")
        self.assertEqual([(r["outcome"], r["verified"]) for r in self.own("r.json")], [("ok", None)])

    def test_refused(self):
        """What a pair cannot have is named."""
        image = [{"Name": "from", "Access": "in", "Format": "uint8x4", "Image": {}},
                 {"Name": "to", "Access": "out", "Format": "uint8x4", "Image": {}}]
        self.write("turn.comp", COPY.replace("FORMAT", "rgba8").replace("KIND", ""))
        self.manifest(["turn.comp"], image)
        self.bad("from has texels of format rgba8 in the code, of rgba8ui in the pair")
        self.write("turn.hlsl", "RWTexture2D<float4> to : register(u0);\n[numthreads(8, 4, 1)] void turn(uint3 id : "
                   "SV_DispatchThreadID)\n{\n  to[id.xy] = 1;\n}\n")
        self.manifest(["turn.hlsl"], [{**image[1], "Image": {"Unorm": True}}])
        self.bad("to has texels of format rgba32f in the code, of rgba8 in the pair")
        image[0]["Image"] = {"Unorm": 1}
        self.manifest(["turn.comp"], image)
        self.bad("Buffers[0].Image.Unorm: expected true or false")
        image[0].update(Image={"Filter": "cubic"}, Format="float32")
        self.manifest(["turn.comp"], image)
        self.bad("Buffers[0].Image.Filter: 'cubic': expected point or linear")
        image[0].update(Image={"Address": "mirror"})
        self.manifest(["turn.comp"], image)
        self.bad("Buffers[0].Image.Address: 'mirror': expected clamp, wrap or border")
        image[0].update(Image={}, Format="float32x3")
        self.manifest(["turn.comp"], image)
        self.bad("Buffers[0].Format: an image has 1, 2 or 4 numbers")
        image[0].update(Image={"Width": 4, "Height": 3}, Format="uint8x4", Length=11)
        image[0]["Image"]["Unorm"] = True
        image[1]["Image"] = {"Unorm": True}
        self.manifest(["turn.comp"], image)
        self.bad("from has 4 x 3 texels, but a Length of 11")
        self.write("turn.comp", COPY.replace("FORMAT", "r32f").replace("KIND", "").replace("image2D from", "image3D from").replace(
            "imageLoad(from, at)", "imageLoad(from, ivec3(at, 0))").replace("imageSize(from)", "imageSize(to)"))
        self.manifest(["turn.comp"], [{"Name": "from", "Access": "in", "Format": "float32"},
                                      {"Name": "to", "Access": "out", "Format": "float32"}])
        self.bad("from is an image of an unsupported kind")

    def typed(self, length="length = n;", sources=("a.hlsl", "b.comp"), form="float32", exit_code=0):
        """What a pair of typed buffers says."""
        for name, text in (("a.hlsl", TYPED.replace("LENGTH", length)), ("b.comp", TYPED_GLSL), ("c.cu", FETCHED)):
            self.write(name, text)
        self.write("t.json", json.dumps({
            "Name": "typed", "Sides": list(sources), "Size": "1003",
            "Buffers": [{"Name": "x", "Access": "in", "Format": form, "Length": "n", "Fill": "ramp(0, 1)"},
                        {"Name": "y", "Access": "out", "Format": "float32", "Length": "n"},
                        {"Name": "count", "Access": "inout", "Format": "int32", "Length": 3, "Fill": "constant(0)"}],
            "Shaders": [{"GroupSize": [64], "DispatchGroupCount": ["ceil(n/64)"], "Arguments": {"n": "n"}}]}))
        return "".join(self.pair(f"{BOTH} t.json --json t.out", exit_code))

    def test_typed_buffers(self):
        """Read and written, with atomics; texels of 16 bits, too. A kernel that asks for the length gets it; else a guard is behind."""
        for form in "float32", "float16":
            self.typed(form=form)
            self.assertEqual(len({r["output_hash"] for r in self.own("t.out") if not r["error"]}), 1)
        self.typed(length="y.GetDimensions(length);")
        self.assertIn("wrote past the end of 'y', to element 1003", self.typed(length="length = n + 1;", exit_code=1))
        self.assertIn("x is a typed buffer of floats in the code: its Format needs 1, 2 or 4 numbers", self.typed(form="float32x3", exit_code=2))
        self.assertIn("floats only where the code has floats", self.typed(form="uint32", exit_code=2))

    def test_fetched(self):
        """What CUDA reads by tex1Dfetch is a typed buffer, too."""
        for form in "float32", "float16":
            said = self.typed(sources=("c.cu", "a.hlsl"), form=form, exit_code=None)
            self.assertRegex(said, "same bits: yes|c.cu: skipped: no chosen API runs it")

    def test_init(self):
        self.write_samplers([{}], False)
        self.pair("--init place.hlsl place.cu")
        with open(self.path("place.json"), encoding="utf-8") as file:
            made = json.load(file)
        size = {"Width": "columns", "Height": "rows"}
        self.assertEqual(made["Buffers"], [{"Name": "image0", "Access": "in", "Image": size, "Format": "?"},
                                           {"Name": "to0", "Access": "?", "Image": size, "Format": "float32x2"}])
        self.assertEqual((made["Size"], made["Shaders"][0]["DispatchGroupCount"]), ("1024x1024", ["?", "?"]))


if __name__ == "__main__":
    unittest.TestCase.maxDiff = None
    results.main()
