package org.relaxvm.backendcpu.host;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.engine.ProgramContext;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The calls of a host function, numbered in the order of its text, with their operands in one
 * array: {@code k >= 0} is register {@code k}, {@code k < 0} is operand {@code ~k} of {@link
 * #operands}. The function keeps the ABI of compiled functions: its parameters are the context, the
 * registers, the constants and the functions.
 *
 * <p>Source: docs/spec/vm-codegen.md, section 5.1. Immutable once made.
 */
final class HostCalls {
  private static final int REGISTERS = 1;
  private static final int CONSTANTS = 2;
  private static final int FUNCTIONS = 3;
  private static final int PARAMETERS = 4;

  private final PrimFunc function;
  private final List<Handle> handles;
  private final List<CallPacked> calls = new ArrayList<>();
  private final Map<CallPacked, Integer> numbers = new IdentityHashMap<>();
  private final Map<Operand, Integer> operands = new LinkedHashMap<>();
  private final List<Integer> words = new ArrayList<>();
  private final List<Integer> firsts = new ArrayList<>();

  /**
   * The calls of a host function.
   *
   * @throws InvalidProgramException when it does not keep the ABI of compiled functions
   */
  HostCalls(PrimFunc function) {
    this.function = function;
    this.handles =
        function.params().stream()
            .flatMap(
                param ->
                    param instanceof Param.OfHandle(Handle h)
                        ? Optional.of(h).stream()
                        : Optional.<Handle>empty().stream())
            .toList();
    if (handles.size() != PARAMETERS || function.params().size() != PARAMETERS) {
      throw refused(
          "its parameters are "
              + function.params().stream().map(Param::name).toList()
              + ", but must be the context, the registers, the constants and the functions");
    }
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        switch (stmt) {
          case CallPacked call -> add(call);
          case For loop -> {
            operand(loop.min());
            operand(loop.extent());
            operand(loop.loopVar());
            super.visit(loop);
          }
          case IfThenElse choice -> {
            operand(choice.condition());
            super.visit(choice);
          }
          default -> super.visit(stmt);
        }
      }
    }.visit(function);
    firsts.add(words.size());
  }

  /** The name of the compiled function whose body this is. */
  String name() {
    String name = function.name();
    return name.startsWith(ProgramContext.BODY_PREFIX)
        ? name.substring(ProgramContext.BODY_PREFIX.length())
        : name;
  }

  List<CallPacked> calls() {
    return calls;
  }

  /** The number of a call. */
  int number(CallPacked call) {
    Integer number = numbers.get(call);
    if (number == null) {
      throw new IllegalStateException("no call of the function: " + call.name());
    }
    return number;
  }

  /** The operands that are no registers, in the order of their indices. */
  List<Operand> operands() {
    return List.copyOf(operands.keySet());
  }

  /** The index of the operand that a constant or variable is. */
  int operand(PrimExpr expr) {
    Operand operand =
        switch (expr) {
          case Var var -> new Operand.Variable(var);
          case IntImm(DType dtype, long value) ->
              new Operand.Scalar(dtype.equals(DType.BOOL) ? ScalarTag.BOOL : ScalarTag.INT, value);
          case FloatImm number ->
              new Operand.Scalar(ScalarTag.FLOAT, Double.doubleToRawLongBits(number.value()));
          default -> throw refused("it computes " + expr);
        };
    return index(operand);
  }

  private int index(Operand operand) {
    return operands.computeIfAbsent(operand, unused -> operands.size());
  }

  /** The operands of all calls, one after the other. */
  int[] words() {
    return words.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Where the operands of each call begin; one more than there are calls. */
  int[] firsts() {
    return firsts.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The register that each call writes; -1 where it writes none. */
  int[] destinations() {
    return calls.stream()
        .mapToInt(call -> call.result().map(AnyListItem::index).orElse(-1))
        .toArray();
  }

  /** A call as messages show it, such as {@code call 3: call add in: %0, c[1] dst: %2}. */
  String shown(int call) {
    List<Operand> known = operands();
    StringBuilder text = new StringBuilder("call ");
    text.append(call).append(": call ").append(calls.get(call).name()).append(" in: ");
    for (int i = firsts.get(call); i < firsts.get(call + 1); i++) {
      int word = words.get(i);
      text.append(i == firsts.get(call) ? "" : ", ");
      text.append(word >= 0 ? "%" + word : known.get(~word).shown());
    }
    int destination = calls.get(call).result().map(AnyListItem::index).orElse(-1);
    return text.append(" dst: ").append(destination < 0 ? "%void" : "%" + destination).toString();
  }

  private void add(CallPacked call) {
    numbers.put(call, calls.size());
    calls.add(call);
    firsts.add(words.size());
    call.args().forEach(arg -> words.add(word(arg)));
    if (call.result().isPresent() && position(call.result().get().list()) != REGISTERS) {
      throw refused(
          "it writes the list "
              + call.result().get().list()
              + ", which is not that of"
              + " the registers");
    }
  }

  private int word(PackedArg arg) {
    return switch (arg) {
      case PackedArg.OfItem(AnyListItem(Handle list, int index)) ->
          switch (position(list)) {
            case REGISTERS -> index;
            case CONSTANTS -> ~index(new Operand.Constant(index));
            case FUNCTIONS -> ~index(new Operand.Function(index));
            default -> throw refused("it takes a cell of " + list + ", which is no list");
          };
      case PackedArg.OfHandle(Handle handle) -> {
        if (position(handle) != 0) {
          throw refused("it passes the list " + handle + " on");
        }
        yield ~index(new Operand.Context());
      }
      case PackedArg.OfNull none -> ~index(new Operand.Null());
      case PackedArg.OfText(String text) -> ~index(new Operand.Text(text));
      case PackedArg.OfScalar(PrimExpr value) -> ~operand(value);
      case PackedArg.OfBuffer buffer -> throw refused("it passes the buffer " + buffer.buffer());
    };
  }

  private int position(Handle handle) {
    return handles.indexOf(handle);
  }

  private InvalidProgramException refused(String why) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the host function "
            + function.name()
            + " does not keep the ABI of compiled functions: "
            + why);
  }
}
