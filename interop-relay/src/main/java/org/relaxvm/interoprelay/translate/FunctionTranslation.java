package org.relaxvm.interoprelay.translate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocDatatype;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.proposal.RelayInstruction.CallPacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.DeviceCopy;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Fatal;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetField;
import org.relaxvm.interoprelay.proposal.RelayInstruction.GetTag;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Goto;
import org.relaxvm.interoprelay.proposal.RelayInstruction.If;
import org.relaxvm.interoprelay.proposal.RelayInstruction.IfEq;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Invoke;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokeClosure;
import org.relaxvm.interoprelay.proposal.RelayInstruction.InvokePacked;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConst;
import org.relaxvm.interoprelay.proposal.RelayInstruction.LoadConsti;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Mov;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Ret;
import org.relaxvm.interoprelay.proposal.RelayInstruction.ShapeOf;
import org.relaxvm.interoprelay.proposal.RelayInstruction.TailInvoke;
import org.relaxvm.interoprelay.proposal.verify.VerifiedFunction;
import org.relaxvm.interoprelay.translate.code.Call;
import org.relaxvm.interoprelay.translate.code.CodeBlock;
import org.relaxvm.interoprelay.translate.code.CodeGraph;
import org.relaxvm.interoprelay.translate.code.Exit;
import org.relaxvm.interoprelay.translate.code.Operand;

/** Translates the instructions of one function, block by block. */
final class FunctionTranslation {
  private final VerifiedFunction verified;
  private final ControlFlow flow;
  private final List<RelayInstruction> code;
  private final Registers registers;
  private final CallLowering lowering;
  private final CodeGraph graph;
  private final PhiPlan phis;
  private final Map<Integer, Integer> blocks = new HashMap<>();

  FunctionTranslation(
      VerifiedFunction verified,
      String name,
      Registers registers,
      CallLowering lowering,
      TranslationOptions options) {
    this.verified = verified;
    this.flow = verified.flow();
    this.code = verified.function().code();
    this.registers = registers;
    this.lowering = lowering;
    this.graph = new CodeGraph(name, verified.function().params(), List.of(), registers.count());
    this.phis = new PhiPlan(verified, registers, options, graph::newRegister);
    translate();
  }

  CodeGraph graph() {
    return graph;
  }

  private void translate() {
    for (int block : flow.reversePostOrder()) {
      blocks.put(block, graph.newBlock());
    }
    graph.entry().exit(new Exit.Jump(target(0)));
    for (int block : flow.reversePostOrder()) {
      block(flow.block(block), graph.block(target(block)));
    }
    phis.apply(graph, blocks);
  }

  /** The translation of a block of the function. */
  private int target(int block) {
    Integer translated = blocks.get(block);
    if (translated == null) {
      throw new IllegalStateException("block " + block + " cannot be reached");
    }
    return translated;
  }

  private int blockAt(int instruction, int offset) {
    return target(flow.blockOf(instruction + offset));
  }

  private void block(BasicBlock source, CodeBlock block) {
    for (int i = source.first(); i < source.last(); i++) {
      block.calls().addAll(calls(i));
    }
    int last = source.last();
    switch (code.get(last)) {
      case If(int condition, int ifTrue, int ifFalse) ->
          branch(
              block,
              Call.packed(graph.newRegister(), "vm.builtin.read_if_cond", lowering.read(condition)),
              blockAt(last, ifTrue),
              blockAt(last, ifFalse));
      case IfEq(int src, long value, int ifTrue, int ifFalse) ->
          branch(
              block,
              Call.packed(
                  graph.newRegister(),
                  "vm.builtin.int_equal",
                  lowering.read(src),
                  Operand.constant(value)),
              blockAt(last, ifTrue),
              blockAt(last, ifFalse));
      case Goto(int offset) -> block.exit(new Exit.Jump(blockAt(last, offset)));
      case Ret(int src) -> block.exit(new Exit.Return(registers.get(src)));
      case TailInvoke(int function, List<Integer> args) -> {
        int result = graph.newRegister();
        block.add(lowering.invoke(result, function, args, true));
        block.exit(new Exit.Return(result));
      }
      case Fatal _ -> {
        int nothing = graph.newRegister();
        block.add(Call.packed(nothing, "vm.builtin.fatal", Operand.constant(fatal(last))));
        block.exit(new Exit.Return(nothing));
      }
      default -> {
        block.calls().addAll(calls(last));
        block.exit(new Exit.Jump(blockAt(last, 1)));
      }
    }
  }

  private static void branch(CodeBlock block, Call condition, int ifTrue, int ifFalse) {
    block.exit(
        ifTrue == ifFalse ? new Exit.Jump(ifTrue) : new Exit.Branch(condition, ifTrue, ifFalse));
  }

  private String fatal(int instruction) {
    return "the program reached a Fatal instruction\n  at function "
        + verified.function().name()
        + ", instruction "
        + instruction;
  }

  private List<Call> calls(int index) {
    return switch (code.get(index)) {
      case AllocTensor i -> lowering.allocTensor(i, graph::newRegister);
      case AllocTensorReg i -> lowering.allocTensorReg(i, graph::newRegister);
      case AllocDatatype i -> List.of(lowering.allocDatatype(i));
      case AllocClosure i -> List.of(lowering.allocClosure(i));
      case LoadConst(int dst, int constant) -> loaded(dst, lowering.constant(constant));
      case LoadConsti(int dst, long value) -> loaded(dst, Operand.constant(value));
      case Mov(int dst, int src) -> List.of(Call.copy(registers.get(dst), lowering.read(src)));
      case Phi i -> phis.calls(index, i);
      case GetField i -> List.of(lowering.getField(i));
      case GetTag(int dst, int src) ->
          List.of(Call.packed(registers.get(dst), "vm.builtin.get_tag", lowering.read(src)));
      case InvokePacked i -> List.of(lowering.invokePacked(i));
      case CallPacked i -> List.of(lowering.callPacked(i));
      case Invoke(int dst, int function, List<Integer> args) ->
          List.of(lowering.invoke(registers.get(dst), function, args, false));
      case InvokeClosure i -> List.of(lowering.invokeClosure(i));
      case ShapeOf(int dst, int src) ->
          List.of(Call.packed(registers.get(dst), "vm.builtin.shape_of", lowering.read(src)));
      case ReshapeTensor i -> lowering.reshape(i, graph::newRegister);
      case DeviceCopy(int dst, int src, int type, int id) ->
          List.of(
              Call.packed(
                  registers.get(dst),
                  "vm.builtin.to_device",
                  lowering.read(src),
                  Operand.constant((long) type),
                  Operand.constant((long) id)));
      case Kill(int register) -> List.of(Call.clear(registers.get(register)));
      case If _, IfEq _, Goto _, Ret _, TailInvoke _, Fatal _ ->
          throw new IllegalStateException("instruction " + index + " is inside of a block");
    };
  }

  private List<Call> loaded(int dst, Operand value) {
    boolean needed = lowering.values().inlined(dst) == null;
    return needed ? List.of(Call.copy(registers.get(dst), value)) : List.of();
  }
}
