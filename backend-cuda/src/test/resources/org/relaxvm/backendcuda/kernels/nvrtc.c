/* The functions of NVRTC without a compiler: an image is what the program was made of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  char* source;
  char* name;
  char options[1024];
} program;

static const int KNOWN[] = {KNOWN_ARCHITECTURES};

int nvrtcVersion(int* major, int* minor) {
  *major = MAJOR;
  *minor = MINOR;
  return 0;
}

int nvrtcGetNumSupportedArchs(int* count) {
  *count = sizeof(KNOWN) / sizeof(int);
  return 0;
}

int nvrtcGetSupportedArchs(int* all) {
  memcpy(all, KNOWN, sizeof(KNOWN));
  return 0;
}

const char* nvrtcGetErrorString(int status) {
  return status == 6 ? "NVRTC_ERROR_COMPILATION" : status == 1 ? "NVRTC_ERROR_OUT_OF_MEMORY" : NULL;
}

int nvrtcCreateProgram(
    program** made, const char* source, const char* name, int headers, const char* const* texts, const char* const* names) {
  if (strstr(source, "#none")) return 2;
  *made = calloc(1, sizeof(program));
  (*made)->source = strdup(source);
  (*made)->name = strdup(name);
  for (int i = 0; i < headers; i++) {
    if (strstr(texts[i], "namespace cuda") == NULL) return 3;
    strcat(strcat(strcat((*made)->options, "<"), names[i]), "> ");
  }
  return 0;
}

int nvrtcCompileProgram(program* of, int count, const char* const* options) {
  for (int i = 0; i < count; i++) {
    strcat(strcat(of->options, options[i]), " ");
  }
  return strstr(of->source, "#error") ? 6 : strstr(of->source, "#memory") ? 1 : 0;
}

static size_t image(program* of, const char* kind, char* to) {
  char text[4096];
  int size = snprintf(text, sizeof(text), "%s of %s with %s: %s", kind, of->name, of->options, of->source) + 1;
  if (to != NULL) memcpy(to, text, size);
  return size;
}

int nvrtcGetCUBINSize(program* of, size_t* size) {
  *size = image(of, "cubin", NULL) - 1;
  return 0;
}

int nvrtcGetCUBIN(program* of, char* to) {
  char text[4096];
  memcpy(to, text, image(of, "cubin", text) - 1);
  return 0;
}

int nvrtcGetPTXSize(program* of, size_t* size) {
  *size = image(of, "ptx", NULL);
  return 0;
}

int nvrtcGetPTX(program* of, char* to) {
  image(of, "ptx", to);
  return 0;
}

int nvrtcGetProgramLogSize(program* of, size_t* size) {
  *size = strlen(of->name) + 14;
  return 0;
}

int nvrtcGetProgramLog(program* of, char* to) {
  sprintf(to, "%s(1): error: x", of->name);
  return 0;
}

int nvrtcDestroyProgram(program** of) {
  free((*of)->source);
  free((*of)->name);
  free(*of);
  *of = NULL;
  return 0;
}
