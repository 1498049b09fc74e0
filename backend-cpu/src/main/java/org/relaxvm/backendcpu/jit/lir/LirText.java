package org.relaxvm.backendcpu.jit.lir;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/** Writes functions, one instruction a line. */
final class LirText {
  private final StringBuilder text = new StringBuilder();

  private LirText() {}

  static String of(LirFunction function) {
    LirText printed = new LirText();
    printed.line(
        0,
        "%s(block %s, from %s, to %s, scratch %s):"
            .formatted(
                function.name(),
                function.block(),
                function.from(),
                function.to(),
                function.scratch()));
    printed.print(1, function.body());
    return printed.text.toString();
  }

  private void line(int depth, String line) {
    text.append("  ".repeat(depth)).append(line).append('\n');
  }

  private void print(int depth, List<Lir> list) {
    list.forEach(lir -> print(depth, lir));
  }

  private void print(int depth, Lir lir) {
    line(depth, head(lir));
    if (lir instanceof Lir.Loop loop) {
      print(depth + 1, loop.body());
    } else if (lir instanceof Lir.If branch) {
      print(depth + 1, branch.whenTrue());
      if (!branch.whenFalse().isEmpty()) {
        line(depth, "else:");
        print(depth + 1, branch.whenFalse());
      }
    }
  }

  /** A statement without those in it. */
  static String head(Lir lir) {
    return switch (lir) {
      case Lir.Compute(Op op, Reg result, List<Operand> args) ->
          define(result) + op + " " + join(args);
      case Lir.Compare(Relation relation, Reg result, Operand a, Operand b) ->
          define(result) + a + " " + relation + " " + b;
      case Lir.Load load ->
          define(load.result())
              + "load"
              + load.bits()
              + (load.isSigned() ? " signed" : "")
              + (load.isSplat() ? " splat " : " ")
              + load.from()
              + masked(load.mask());
      case Lir.Store store ->
          "store" + store.bits() + " " + store.to() + ", " + store.value() + masked(store.mask());
      case Lir.Gather gather ->
          "%sgather [%s + %s * %d + %d]%s"
              .formatted(
                  define(gather.result()),
                  gather.base(),
                  gather.index(),
                  gather.scale(),
                  gather.displacement(),
                  masked(gather.mask()));
      case Lir.Loop loop ->
          "loop %s < %s step %d%s:"
              .formatted(
                  loop.counter(), loop.limit(), loop.step(), loop.isEntered() ? " entered" : "");
      case Lir.If branch -> "if %s %s %s:".formatted(branch.a(), branch.relation(), branch.b());
      case Lir.FailIf fail ->
          "fail %d if %s %s %s: %s"
              .formatted(fail.status(), fail.a(), fail.relation(), fail.b(), join(fail.values()));
    };
  }

  private static String define(Reg result) {
    return result + ": " + result.type() + " = ";
  }

  private static String masked(@Nullable Reg mask) {
    return mask == null ? "" : " where " + mask;
  }

  private static String join(List<Operand> args) {
    return args.stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
