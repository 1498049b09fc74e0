package org.relaxvm.tir.stmt;

/** Where the function of a packed call is found. Source: docs/spec/vm-codegen.md, section 5.2. */
public enum CallLinkage {
  /** By name, wherever the program finds its functions. */
  PACKED("call_packed"),
  /** Among the kernels of the same program. */
  CPACKED("call_cpacked");

  private final String text;

  CallLinkage(String text) {
    this.text = text;
  }

  /** As the text form writes such a call. */
  public String text() {
    return text;
  }

  /** As the text form writes such a call whose result a cell of a list keeps. */
  public String storingText() {
    return "anylist_setitem_" + text;
  }
}
