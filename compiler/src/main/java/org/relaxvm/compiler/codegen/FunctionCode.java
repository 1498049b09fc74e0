package org.relaxvm.compiler.codegen;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.DataTypeImm;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.ExternFunc;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.If;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.Op;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.StringImm;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.rewrite.SelfTailCalls;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.ArgKind;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.Label;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * Emits the body of one function. For one function; not thread-safe.
 *
 * <p>Rationale: docs/rationale/compiler.md, "Why do loops jump back to the checks of parameters?"
 */
final class FunctionCode {
  private final IRModule module;
  private final ExecBuilder builder;
  private final SourceNodes.Builder nodes;
  private final Map<RelaxVar, Arg> values = new IdentityHashMap<>();
  private final SelfTailCalls loops;
  private final Label start;
  private long nextRegister;

  /** Whether the last instruction was a jump back: nothing that follows it is reached. */
  private boolean hasLeft;

  FunctionCode(
      IRModule module,
      ExecBuilder builder,
      SourceNodes.Builder nodes,
      GlobalVar name,
      RelaxFunction function) {
    this.module = module;
    this.builder = builder;
    this.nodes = nodes;
    this.loops = SelfTailCalls.of(name, function);
    this.start = builder.newLabel();
    function.params().forEach(param -> values.put(param, newRegister()));
  }

  void emitBody(SeqExpr body) {
    List<Binding> bindings = body.bindings().toList();
    // Each iteration fills the same heap with its own extents.
    boolean hasHeap =
        !bindings.isEmpty() && LoweredForms.allocatesHeap(bindings.getFirst().value());
    int before = hasHeap ? 1 : 0;
    bindings.subList(0, before).forEach(this::bind);
    builder.place(start);
    Arg result = visit(bindings.subList(before, bindings.size()), body.body());
    if (hasLeft) {
      return;
    }
    boolean isRegister = result.kind() == ArgKind.REGISTER;
    builder.emitRet(isRegister ? result : emit("vm.builtin.copy", List.of(result)));
  }

  private Arg newRegister() {
    return builder.r(nextRegister++);
  }

  private Arg emit(String function, List<Arg> args) {
    Arg dst = newRegister();
    builder.emitCall(function, args, dst);
    return dst;
  }

  private List<Arg> visitAll(List<Expr> exprs) {
    List<Arg> args = new ArrayList<>();
    exprs.forEach(expr -> args.add(visit(expr)));
    return args;
  }

  private Arg visit(Expr expr) {
    return switch (expr) {
      case RelaxVar var -> valueOf(var);
      case Constant constant -> constant(constant);
      case ShapeExpr shape -> builder.convertConstant(LoweredForms.known(shape));
      case PrimValue(IntImm number) -> builder.convertConstant(number.value());
      case PrimValue(FloatImm number) -> builder.convertConstant(number.value());
      case PrimValue computed -> throw LoweredForms.symbolic(computed, "the number");
      case StringImm(String text) -> builder.convertConstant(text);
      case DataTypeImm(var dtype) -> builder.convertConstant(dtype);
      case Tuple(var fields) -> emit("vm.builtin.make_tuple", visitAll(fields));
      case TupleGetItem(Expr tuple, int index) ->
          emit("vm.builtin.tuple_getitem", List.of(visit(tuple), builder.imm(index)));
      case GlobalVar name -> function(name);
      case ExternFunc extern -> builder.declareFunction(extern.symbol(), FunctionKind.PACKED);
      case SeqExpr seq -> visit(seq);
      case If choice -> visit(choice);
      case Call call -> visit(call);
      case RelaxFunction local -> throw LoweredForms.localFunction();
      case Op op -> throw LoweredForms.unknown(op);
    };
  }

  private Arg valueOf(RelaxVar var) {
    Arg value = values.get(var);
    if (value == null) {
      throw LoweredForms.noValue(var);
    }
    return value;
  }

  private Arg constant(Constant constant) {
    return builder.convertConstant(
        constant.data(), constant.tensorType().vdevice().map(VDevice::memoryScope).orElse(""));
  }

  private Arg function(GlobalVar name) {
    return switch (module.find(name).orElse(null)) {
      case RelaxFunction function ->
          builder.declareFunction(CodeGenVM.symbolOf(name, function), FunctionKind.VM);
      case ExternFunc extern -> builder.declareFunction(extern.symbol(), FunctionKind.PACKED);
      case KernelFunction kernel -> builder.declareFunction(name.name(), FunctionKind.PACKED);
      case null -> builder.declareFunction(name.name(), FunctionKind.PACKED);
    };
  }

  private Arg visit(SeqExpr seq) {
    return visit(seq.bindings().toList(), seq.body());
  }

  /** Emits bindings and a result, which is void where the last of them jumps back. */
  private Arg visit(List<Binding> bindings, Expr result) {
    for (Binding binding : bindings) {
      bind(binding);
      if (hasLeft) {
        return Arg.VOID;
      }
    }
    return visit(result);
  }

  private void bind(Binding binding) {
    if (loops.contains(binding)) {
      jumpBack((Call) binding.value(), loops.endedAfter(binding));
      return;
    }
    Arg value;
    List<String> outer = nodes.set(binding.var().sourceNodes(), builder.instructionCount());
    try {
      value = visit(binding.value());
    } catch (InvalidProgramException e) {
      if (e.locations().isEmpty()) {
        e.addLocation(binding.toString());
      }
      throw e;
    } finally {
      nodes.set(outer, builder.instructionCount());
    }
    // A copy, so that the end of one of the two variables leaves the other one.
    boolean isAlias = binding.value() instanceof RelaxVar;
    values.put(binding.var(), isAlias ? emit("vm.builtin.copy", List.of(value)) : value);
  }

  private Arg visit(If choice) {
    Arg condition = emit("vm.builtin.read_if_cond", List.of(visit(choice.condition())));
    Label otherwise = builder.newLabel();
    Label end = builder.newLabel();
    builder.emitIf(condition, otherwise);
    Arg merged = newRegister();
    boolean trueLeaves = branch(choice.whenTrue(), merged);
    if (!trueLeaves) {
      builder.emitGoto(end);
    }
    builder.place(otherwise);
    boolean falseLeaves = branch(choice.whenFalse(), merged);
    builder.place(end);
    hasLeft = trueLeaves && falseLeaves;
    return merged;
  }

  /** Copies the value of a branch, unless it jumps back; gives whether it does. */
  private boolean branch(SeqExpr branch, Arg merged) {
    Arg value = visit(branch);
    boolean leaves = hasLeft;
    if (!leaves) {
      builder.emitCall("vm.builtin.copy", List.of(value), merged);
    }
    hasLeft = false;
    return leaves;
  }

  /** Begins the function again, with the arguments of a call in its first registers. */
  private void jumpBack(Call call, List<RelaxVar> ended) {
    long firstTemporary = nextRegister;
    List<Arg> words = visitAll(call.args());
    for (ParallelMoves.Move<Arg> move : ParallelMoves.of(words, Arg::register, this::newRegister)) {
      builder.emitCall("vm.builtin.copy", List.of(move.from()), move.to());
    }
    for (long temporary = firstTemporary; temporary < nextRegister; temporary++) {
      clear(builder.r(temporary));
    }
    for (RelaxVar var : ended) {
      Arg value = valueOf(var);
      boolean isParameter = value.value() < words.size();
      if (!isParameter) {
        clear(ownRegister(var, value));
      }
    }
    builder.emitGoto(start);
    hasLeft = true;
  }

  private void clear(Arg register) {
    builder.emitCall("vm.builtin.null_value", List.of(), register);
  }

  private Arg visit(Call call) {
    if (call.isOf("null_value")) {
      return Arg.VOID;
    }
    if (call.isOf("vm.kill_object")) {
      return kill(call);
    }
    Arg dst = TupleType.isVoid(call.type()) ? Arg.VOID : newRegister();
    List<Expr> args = call.args();
    if (call.callee() instanceof Op op) {
      switch (op.name()) {
        case "call_builtin_with_ctx" -> {
          List<Arg> words = visitAll(LoweredForms.fields(args.get(1)));
          words.addFirst(Arg.VM);
          builder.emitCall(visit(args.get(0)), words, dst);
        }
        case "vm.alloc_storage" -> {
          List<Arg> words = visitAll(args);
          words.addFirst(Arg.VM);
          builder.emitCall("vm.builtin.alloc_storage", words, dst);
        }
        case "vm.alloc_tensor" -> builder.emitCall("vm.builtin.alloc_tensor", tensor(args), dst);
        default -> throw LoweredForms.unknown(op);
      }
      return dst;
    }
    Arg callee = visit(call.callee());
    List<Arg> words = visitAll(args);
    if (callee.kind() == ArgKind.FUNCTION) {
      builder.emitCall(callee, words, dst);
    } else {
      words.addFirst(callee);
      words.addFirst(Arg.VM);
      builder.emitCall("vm.builtin.invoke_closure", words, dst);
    }
    return dst;
  }

  private List<Arg> tensor(List<Expr> args) {
    List<Arg> words = visitAll(args.subList(0, 4));
    if (args.size() > 4) {
      LoweredForms.memoryScope(module, args.get(4))
          .ifPresent(scope -> words.add(builder.convertConstant(scope)));
    }
    return words;
  }

  private Arg kill(Call call) {
    Expr killed = call.args().getFirst();
    Arg value = ownRegister(killed, visit(killed));
    clear(value);
    return value;
  }

  private static Arg ownRegister(Expr killed, Arg value) {
    boolean isOwn = value.kind() == ArgKind.REGISTER && !value.equals(Arg.VOID);
    if (!isOwn) {
      throw LoweredForms.noRegister(killed);
    }
    return value;
  }
}
