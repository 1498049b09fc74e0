package org.relaxvm.interoprelay.translate.release;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.translate.code.Assignment;
import org.relaxvm.interoprelay.translate.code.Call;
import org.relaxvm.interoprelay.translate.code.ClosureWrappers;
import org.relaxvm.interoprelay.translate.code.CodeBlock;
import org.relaxvm.interoprelay.translate.code.CodeGraph;
import org.relaxvm.interoprelay.translate.code.Exit;
import org.relaxvm.interoprelay.translate.code.FunctionNames;
import org.relaxvm.interoprelay.translate.code.Operand;

/** Translates the instructions of one released function, block by block. */
final class ReleasedFunctionTranslation {
  private final ReleasedFunction function;
  private final ControlFlow flow;
  private final CodeGraph graph;
  private final ReleasedLowering lowering;
  private final Map<Integer, Integer> blocks = new HashMap<>();

  ReleasedFunctionTranslation(
      ReleasedExecutable executable,
      int index,
      FunctionNames names,
      ClosureWrappers wrappers,
      DeviceTable devices) {
    this.function = executable.functions().get(index);
    this.flow = ControlFlow.of(new ReleasedFlow(function.code()));
    this.graph =
        new CodeGraph(
            names.get(index),
            function.paramNames().size(),
            function.paramNames(),
            function.registerFileSize());
    this.lowering =
        new ReleasedLowering(executable, function, names, wrappers, devices, graph::newRegister);
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
    Assignment.complete(graph);
  }

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
    List<ReleasedInstruction> code = function.code();
    for (int i = source.first(); i < source.last(); i++) {
      block.calls().addAll(lowering.calls(code.get(i)));
    }
    int last = source.last();
    switch (code.get(last)) {
      case If(int test, int target, int ifTrue, int ifFalse) -> {
        int whenTrue = blockAt(last, ifTrue);
        int whenFalse = blockAt(last, ifFalse);
        block.exit(
            whenTrue == whenFalse
                ? new Exit.Jump(whenTrue)
                : new Exit.Branch(lowering.condition(test, target), whenTrue, whenFalse));
      }
      case Goto(int offset) -> block.exit(new Exit.Jump(blockAt(last, offset)));
      case Ret(int src) -> block.exit(new Exit.Return(src));
      case Fatal() -> {
        int nothing = graph.newRegister();
        block.add(Call.packed(nothing, "vm.builtin.fatal", Operand.constant(fatal(last))));
        block.exit(new Exit.Return(nothing));
      }
      default -> {
        block.calls().addAll(lowering.calls(code.get(last)));
        block.exit(new Exit.Jump(blockAt(last, 1)));
      }
    }
  }

  private String fatal(int instruction) {
    return "the program reached a fatal instruction\n  at function "
        + function.name()
        + ", instruction "
        + instruction;
  }
}
