// dxc ARGUMENT... SOURCE: compiles HLSL with DXC's library, where DXC's own program is not available. It takes the same
// arguments, except that the source must be the last one, or stand before a last `-Fo FILE`. Built by `script/fetch dxc`.
//   dxc -T cs_6_0 -E main -Fo main.dxil main.hlsl
//   dxc -dumpbin main.dxil     prints the disassembly
//   dxc --version
#include <codecvt>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <locale>
#include <string>
#include <vector>

#include "WinAdapter.h"
#include "dxcapi.h"

template <class T> static CComPtr<T> create(const CLSID &id)
{
  CComPtr<T> object;
  if (FAILED(DxcCreateInstance(id, __uuidof(T), reinterpret_cast<void **>(&object)))) {
    std::cerr << "dxc: the library cannot be initialised\n";
    std::exit(1);
  }
  return object;
}

static std::string read_file(const char *path)
{
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "dxc: " << path << ": cannot be opened\n";
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

static bool write_file(const std::string &path, IDxcBlob *blob)
{
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char *>(blob->GetBufferPointer()), blob->GetBufferSize());
  file.close();
  if (!file)
    std::cerr << "dxc: " << path << ": cannot be written\n";
  return !!file;
}

static int print_version()
{
  CComPtr<IDxcVersionInfo> version = create<IDxcVersionInfo>(CLSID_DxcCompiler);
  CComPtr<IDxcVersionInfo3> custom;
  UINT32 major = 0, minor = 0;
  char *text = nullptr;
  version->GetVersion(&major, &minor);
  version->QueryInterface(__uuidof(IDxcVersionInfo3), reinterpret_cast<void **>(&custom));
  if (custom && SUCCEEDED(custom->GetCustomVersionString(&text)) && text)
    std::printf("%s\n", text); // 1.8.0.4597
  else
    std::printf("%u.%u\n", major, minor);
  CoTaskMemFree(text);
  return 0;
}

// Prints the messages. Returns the output, or null after an error.
static CComPtr<IDxcBlob> finish(HRESULT call, IDxcResult *result)
{
  HRESULT status = call;
  CComPtr<IDxcBlobUtf8> messages;
  CComPtr<IDxcBlob> output;
  if (SUCCEEDED(call)) {
    result->GetStatus(&status);
    result->GetOutput(DXC_OUT_ERRORS, __uuidof(IDxcBlobUtf8), reinterpret_cast<void **>(&messages), nullptr);
    result->GetResult(&output);
  } else {
    std::fprintf(stderr, "dxc: the library failed: 0x%08x\n", static_cast<unsigned>(call));
  }
  if (messages)
    std::cerr << std::string(messages->GetStringPointer(), messages->GetStringLength());
  return SUCCEEDED(status) ? output : CComPtr<IDxcBlob>();
}

int main(int argc, char **argv)
{
  setlocale(LC_ALL, "C.UTF-8"); // the library converts file names by it
  if (argc == 2 && std::string(argv[1]) == "--version")
    return print_version();
  if (argc < 3) {
    std::cerr << "usage: dxc ARGUMENT... SOURCE\n";
    return 1;
  }
  const int at = argc > 4 && std::string(argv[argc - 2]) == "-Fo" ? argc - 3 : argc - 1; // of the source
  const char *path = argv[at];
  const std::string text = read_file(path);
  const DxcBuffer source = {text.data(), text.size(), DXC_CP_UTF8};
  CComPtr<IDxcCompiler3> compiler = create<IDxcCompiler3>(CLSID_DxcCompiler);
  CComPtr<IDxcResult> result;

  if (std::string(argv[1]) == "-dumpbin") {
    const HRESULT call = compiler->Disassemble(&source, IID_PPV_ARGS(&result));
    CComPtr<IDxcBlob> listing = finish(call, result);
    if (listing)
      std::fwrite(listing->GetBufferPointer(), 1, listing->GetBufferSize(), stdout);
    return listing ? 0 : 1;
  }

  std::string output_path;
  std::wstring_convert<std::codecvt_utf8<wchar_t>> utf8;
  std::vector<std::wstring> words = {utf8.from_bytes(path)}; // messages begin with it
  for (int i = 1; i < argc; i++) {
    if (i != at)
      words.push_back(utf8.from_bytes(argv[i]));
    if (std::string(argv[i]) == "-Fo" && i + 1 < argc && i + 1 != at)
      output_path = argv[i + 1];
  }
  std::vector<LPCWSTR> arguments;
  for (const std::wstring &word : words)
    arguments.push_back(word.c_str());
  CComPtr<IDxcIncludeHandler> includes;
  create<IDxcUtils>(CLSID_DxcUtils)->CreateDefaultIncludeHandler(&includes);
  const HRESULT call = compiler->Compile(&source, arguments.data(), static_cast<UINT32>(arguments.size()), includes,
                                         IID_PPV_ARGS(&result));
  CComPtr<IDxcBlob> code = finish(call, result);
  return code && (output_path.empty() || write_file(output_path, code)) ? 0 : 1;
}
