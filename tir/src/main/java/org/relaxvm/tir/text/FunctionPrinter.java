package org.relaxvm.tir.text;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.Var;

/** A kernel as text. */
final class FunctionPrinter {
  /** The name by which others call a kernel; private ones have none. */
  static final String GLOBAL_SYMBOL = "global_symbol";

  private final PrimFunc function;
  private final String name;
  private final Names names = new Names();
  private final int indent;
  private final StringBuilder out;

  private FunctionPrinter(PrimFunc function, String name, int indent, StringBuilder out) {
    this.function = function;
    this.name = name;
    this.indent = indent;
    this.out = out;
  }

  /**
   * Appends a kernel.
   *
   * @param name that the text gives it, and no other kernel there
   * @param indent of its first lines, in steps of four spaces
   */
  static void print(PrimFunc function, String name, int indent, StringBuilder out) {
    new FunctionPrinter(function, name, indent, out).print();
  }

  private void print() {
    Declarations declarations = new Declarations(function);
    for (Param param : function.params()) {
      switch (param) {
        case Param.OfScalar(Var scalar) -> names.define(scalar, scalar.name());
        case Param.OfBuffer(Buffer buffer) -> names.define(buffer, buffer.name());
        case Param.OfHandle(Handle handle) -> names.define(handle, handle.name());
      }
    }
    declarations.vars().forEach(shared -> nameUnlessKnown(shared, shared.name()));
    declarations.buffers().forEach(shared -> nameUnlessKnown(shared, shared.name()));

    Map<String, Object> attrs = new LinkedHashMap<>(function.attrs());
    boolean isPrivate = !attrs.containsKey(GLOBAL_SYMBOL);
    if (function.name().equals(attrs.get(GLOBAL_SYMBOL))) {
      attrs.remove(GLOBAL_SYMBOL);
    }
    StmtPrinter head = new StmtPrinter(names, indent, out);
    head.line(decorator(isPrivate));
    String params = function.params().stream().map(this::print).collect(Collectors.joining(", "));
    String result =
        function.returnType().equals(DType.VOID)
            ? ""
            : " -> " + Literals.printReturnType(function.returnType());
    head.line("def " + name + "(" + params + ")" + result + ":");
    StmtPrinter body = new StmtPrinter(names, indent + 1, out);
    if (!attrs.isEmpty()) {
      body.line("T.func_attr(" + Literals.print(attrs) + ")");
    }
    for (Var shared : declarations.vars()) {
      body.line(names.of(shared) + " = T." + shared.dtype() + "()");
    }
    for (Buffer shared : declarations.buffers()) {
      body.line(names.of(shared) + " = T.Buffer" + StmtPrinter.printType(shared, names));
    }
    body.printBody(function.body());
  }

  private void nameUnlessKnown(Object thing, String wanted) {
    if (!names.has(thing)) {
      names.define(thing, wanted);
    }
  }

  private String decorator(boolean isPrivate) {
    String realName = name.equals(function.name()) ? "" : "name=" + Quoting.quote(function.name());
    String arguments =
        List.of(isPrivate ? "private=True" : "", realName).stream()
            .filter(argument -> !argument.isEmpty())
            .collect(Collectors.joining(", "));
    return "@T.prim_func" + (arguments.isEmpty() ? "" : "(" + arguments + ")");
  }

  private String print(Param param) {
    return switch (param) {
      case Param.OfScalar(Var scalar) -> names.of(scalar) + ": T." + scalar.dtype();
      case Param.OfBuffer(Buffer buffer) ->
          names.of(buffer) + ": T.Buffer" + StmtPrinter.printType(buffer, names);
      case Param.OfHandle(Handle handle) -> names.of(handle) + ": T.handle";
    };
  }
}
