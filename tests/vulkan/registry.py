"""vulkan.registry SOURCE VK_XML: the tables of backend_vulkan/features.h say what Vulkan's registry says: which feature
a capability takes, in which struct, extension and version. A capability of the registry that is in no table is one of
other stages than compute, or of a vendor's images."""
import re
import sys
import xml.etree.ElementTree

OTHER = re.compile(
    "Geometry|Tessellation|Fragment|Ray|Mesh|Viewport|Layer|MultiView|PerView|ClipDistance|CullDistance|Sample(Rate|Mask)"
    "|Interpolation|DrawParameters|DeviceGroup|Stencil|Transform|ShadingRate|InputAttachment|StorageInputOutput16"
    "|Multisample|ImageMSArray|CubeArray|ImageFootprint|QCOM|HUAWEI|CoreBuiltinsARM|AMD$|CooperativeMatrixNV|DerivativeControl"
    "|ShaderInvocationReorderNV")
ALIASES = {"DotProductInputAllKHR": "DotProductInputAll", "DotProductInput4x8BitKHR": "DotProductInput4x8Bit",
           "DotProductInput4x8BitPackedKHR": "DotProductInput4x8BitPacked", "DotProductKHR": "DotProduct"}


def main(source, registry):
    text = open(source + "/backend_vulkan/features.h").read()
    requirements = open(source + "/backend_vulkan/requirements.c").read()
    macro = lambda name: re.search(r"#define %s\(X\)(.*?)\n\n" % name, text, re.S).group(1)
    structs = {row[0]: row[1:] for row in re.findall(r'X\((\w+), (\w+), (\w+), (\d),\s*\\?\s*"(\w+)"\)',
                                                     macro("EACH_STRUCT"))}
    rows = [(name, struct, feature.replace("features.", ""))
            for name, struct, feature in re.findall(r"X\((\w+), (\w+), ([\w.]+)\)", macro("EACH_CAPABILITY"))]
    assert len(structs) > 25 and len(rows) > 60, (len(structs), len(rows))
    root = xml.etree.ElementTree.parse(registry).getroot()
    known = {}  # capability: {(feature, where it is required)}
    for capability in root.find("spirvcapabilities"):
        name = ALIASES.get(capability.get("name"), capability.get("name"))
        known[name] = {(e.get("feature"), e.get("requires", "")) for e in capability if e.get("feature")}
    core = {}  # struct: its extension, "VK_VERSION_1_2" or both
    for where in root.findall("feature") + [e for list_ in root.findall("extensions") for e in list_]:
        for type_ in where.iter("type"):
            core.setdefault(type_.get("name"), set()).add(where.get("name"))
    aliases = {t.get("name"): t.get("alias") for t in root.find("types") if t.get("alias")}
    wrong = []
    for name, struct, feature in rows:
        if name not in known:
            continue  # newer than this registry
        if known[name] and feature not in {f for f, _ in known[name]}:
            wrong.append("%s: the registry has %s, not %s" % (name, known[name], feature))
    for member, (type_, _, since, extension) in structs.items():
        full = "VkPhysicalDevice" + type_
        places = core.get(full, set()) | {p for a, b in aliases.items() if b == full for p in core.get(a, set())}
        if places and (extension not in places and since == "0" or since != "0" and "VK_VERSION_1_" + since not in places):
            wrong.append("%s: the registry has it in %s" % (full, sorted(places)))
    named = {name for name, _, _ in rows} | set(re.findall(r"SpvCapability(\w+)", requirements))
    wrong += ["%s: in no table" % name for name in known if name not in named and not OTHER.search(name)]
    print("\n".join(wrong) or "%d rows agree" % len(rows))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
