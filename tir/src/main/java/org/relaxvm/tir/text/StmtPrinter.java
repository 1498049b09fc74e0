package org.relaxvm.tir.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** Statements as text. */
final class StmtPrinter {
  private final Names names;
  private final StringBuilder out;
  private final List<Object> open = new ArrayList<>();
  private int indent;

  StmtPrinter(Names names, int indent, StringBuilder out) {
    this.names = names;
    this.indent = indent;
    this.out = out;
  }

  /** The type of a buffer as the arguments of {@code T.Buffer} and the like. */
  static String printType(Buffer buffer, Names names) {
    StringBuilder type = new StringBuilder("(");
    type.append(ExprPrinter.printTuple(buffer.shape(), names));
    type.append(", \"").append(buffer.dtype()).append('"');
    if (!buffer.strides().isEmpty()) {
      type.append(", strides=").append(ExprPrinter.printTuple(buffer.strides(), names));
    }
    if (!buffer.elemOffset().equals(IntImm.of(0))) {
      type.append(", elem_offset=").append(ExprPrinter.print(buffer.elemOffset(), names));
    }
    if (buffer.scope() != MemoryScope.GLOBAL) {
      type.append(", scope=\"").append(buffer.scope().text()).append('"');
    }
    return type.append(')').toString();
  }

  void line(String text) {
    out.append("    ".repeat(indent)).append(text).append('\n');
  }

  /** The statements of a body; one that is a list of one shows, so that it stays one. */
  void printBody(Stmt stmt) {
    if (stmt instanceof Seq(List<Stmt> statements) && statements.size() > 1) {
      statements.forEach(this::printItem);
    } else {
      printItem(stmt);
    }
  }

  private void printIndented(Stmt body) {
    indent++;
    printBody(body);
    indent--;
  }

  private void printItem(Stmt stmt) {
    int before = open.size();
    switch (stmt) {
      case For loop -> print(loop);
      case BlockRealize realize -> print(realize);
      case BufferStore(Buffer buffer, PrimExpr value, List<PrimExpr> indices) ->
          line(ExprPrinter.printElement(buffer, indices, names) + " = " + print(value));
      case Seq(List<Stmt> statements) -> {
        if (statements.isEmpty()) {
          line("pass");
        } else {
          line("with T.Seq():");
          indent++;
          statements.forEach(this::printItem);
          indent--;
        }
      }
      case IfThenElse choice -> print(choice, "if ");
      case Let(Var var, PrimExpr value, Stmt body) -> {
        String printed = print(value);
        line("with T.LetStmt(" + printed + ", var=" + define(var, var.name()) + "):");
        printIndented(body);
      }
      case CallPacked call -> line(print(call));
      case Return(PrimExpr value) -> line("return " + print(value));
      case LetCall(Var var, CallPacked call, Stmt body) -> {
        String printed = print(call);
        String name = define(var, var.name());
        String type = var.dtype().equals(DType.BOOL) ? "" : ", dtype=\"" + var.dtype() + "\"";
        line("with T.LetStmt(" + printed + ", var=" + name + type + "):");
        printIndented(body);
      }
      case LoopJump jump -> line(jump.text());
    }
    List<Object> closed = open.subList(before, open.size());
    closed.forEach(names::release);
    closed.clear();
  }

  private String print(PrimExpr expr) {
    return ExprPrinter.print(expr, names);
  }

  private String print(PackedArg arg) {
    return switch (arg) {
      case PackedArg.OfBuffer(Buffer buffer) -> names.of(buffer);
      case PackedArg.OfScalar(PrimExpr value) -> print(value);
      case PackedArg.OfText(String text) -> Quoting.quote(text);
      case PackedArg.OfHandle(Handle handle) -> names.of(handle);
      case PackedArg.OfItem(AnyListItem(Handle list, int index)) ->
          "T.anylist_getitem(" + names.of(list) + ", " + index + ")";
      case PackedArg.OfNull none -> "None";
    };
  }

  private String print(CallPacked call) {
    String start =
        call.result()
            .map(
                cell ->
                    call.linkage().storingText()
                        + "("
                        + names.of(cell.list())
                        + ", "
                        + cell.index()
                        + ", ")
            .orElse(call.linkage().text() + "(");
    String tail = call.args().stream().map(arg -> ", " + print(arg)).collect(Collectors.joining());
    return "T." + start + Quoting.quote(call.name()) + tail + ")";
  }

  /** The name of what begins here; what is declared in front of the body has one already. */
  private String define(Object thing, String wanted) {
    if (names.has(thing)) {
      return names.of(thing);
    }
    open.add(thing);
    return names.define(thing, wanted);
  }

  private void print(For loop) {
    Range range = new Range(loop.min(), loop.extent());
    StringBuilder args = new StringBuilder();
    if (!Ranges.startsAtZero(range)) {
      args.append(print(range.min())).append(", ");
    }
    args.append(print(Ranges.stop(range)));
    loop.thread().ifPresent(axis -> args.append(", thread=\"").append(axis.text()).append('"'));
    if (!loop.annotations().isEmpty()) {
      args.append(", annotations=").append(Literals.print(loop.annotations()));
    }
    boolean plain = loop.kind() == ForKind.SERIAL && loop.annotations().isEmpty();
    String function = plain ? "range" : "T." + loop.kind().text();
    line(
        "for "
            + define(loop.loopVar(), loop.loopVar().name())
            + " in "
            + function
            + "("
            + args
            + "):");
    printIndented(loop.body());
  }

  private void print(IfThenElse choice, String word) {
    line(word + print(choice.condition()) + ":");
    printIndented(choice.whenTrue());
    Optional<Stmt> whenFalse = choice.whenFalse();
    if (whenFalse.isPresent() && whenFalse.get() instanceof IfThenElse next) {
      print(next, "elif ");
    } else if (whenFalse.isPresent()) {
      line("else:");
      printIndented(whenFalse.get());
    }
  }

  private void print(BlockRealize realize) {
    Block block = realize.block();
    line("with T.block(" + Quoting.quote(block.name()) + "):");
    indent++;
    for (int i = 0; i < block.iterVars().size(); i++) {
      print(block.iterVars().get(i), realize.iterValues().get(i));
    }
    if (!realize.predicate().equals(IntImm.of(true))) {
      line("T.where(" + print(realize.predicate()) + ")");
    }
    for (Buffer buffer : block.allocBuffers()) {
      String type = printType(buffer, names);
      line(define(buffer, buffer.name()) + " = T.alloc_buffer" + type);
    }
    print("T.reads", block.reads());
    print("T.writes", block.writes());
    if (!block.annotations().isEmpty()) {
      line("T.block_attr(" + Literals.print(block.annotations()) + ")");
    }
    if (block.init().isPresent()) {
      line("with T.init():");
      printIndented(block.init().get());
    }
    printBody(block.body());
    indent--;
  }

  private void print(IterVar axis, PrimExpr value) {
    Range domain = axis.domain();
    String stop = print(Ranges.stop(domain));
    String range =
        Ranges.startsAtZero(domain) ? stop : "(" + print(domain.min()) + ", " + stop + ")";
    String printed = print(value);
    line(
        define(axis.var(), axis.var().name())
            + " = T.axis."
            + function(axis.kind())
            + "("
            + range
            + ", "
            + printed
            + ")");
  }

  static String function(IterKind kind) {
    return switch (kind) {
      case SPATIAL -> "spatial";
      case REDUCE -> "reduce";
      case OPAQUE -> "opaque";
    };
  }

  private void print(String function, List<BufferRegion> regions) {
    if (!regions.isEmpty()) {
      line(
          regions.stream()
              .map(region -> ExprPrinter.print(region, names))
              .collect(Collectors.joining(", ", function + "(", ")")));
    }
  }
}
