package org.relaxvm.interoprelay.translate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.flow.PhiEdge;
import org.relaxvm.interoprelay.flow.PhiJoin;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayOperands;
import org.relaxvm.interoprelay.proposal.verify.VerifiedFunction;
import org.relaxvm.interoprelay.translate.code.Call;
import org.relaxvm.interoprelay.translate.code.CodeBlock;
import org.relaxvm.interoprelay.translate.code.CodeGraph;
import org.relaxvm.interoprelay.translate.code.Exit;
import org.relaxvm.interoprelay.translate.code.Liveness;
import org.relaxvm.interoprelay.translate.code.Operand;
import org.relaxvm.interoprelay.translate.code.ParallelCopy;

/**
 * What becomes of each Phi of a function: copies on the edges into its join, or a call that looks
 * which operand is defined.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 5.
 *
 * <p>Rationale: docs/rationale/interop-relay.md, "Why are Phis of loops always copies?"
 */
final class PhiPlan {
  private final VerifiedFunction verified;
  private final ControlFlow flow;
  private final List<RelayInstruction> code;
  private final Registers registers;
  private final boolean emptiesOperands;
  private final Map<Integer, Integer> definitions = new HashMap<>();
  private final Set<Integer> copied = new TreeSet<>();
  private final Map<Integer, Integer> saved = new HashMap<>();

  /** An edge between blocks of the function. */
  private record Edge(int from, int to) {}

  /**
   * Decides for each Phi.
   *
   * @param newRegister gives a register that is not in use
   */
  PhiPlan(
      VerifiedFunction verified,
      Registers registers,
      TranslationOptions options,
      IntSupplier newRegister) {
    this.verified = verified;
    this.flow = verified.flow();
    this.code = verified.function().code();
    this.registers = registers;
    this.emptiesOperands = options.emptyPhiOperands();
    for (int i = 0; i < code.size(); i++) {
      definitions.put(RelayOperands.definition(code.get(i)), i);
    }
    verified
        .joins()
        .forEach(
            (instruction, join) -> {
              Phi phi = (Phi) code.get(instruction);
              if (options.phis() == PhiStrategy.STATIC
                  || !isDecidedAtRunTime(instruction, phi, join)) {
                copied.add(instruction);
              }
            });
    Set<Integer> operands = operandsOfCalls();
    copied.stream()
        .filter(instruction -> isEmptiedBefore(instruction, operands))
        .forEach(instruction -> saved.put(instruction, newRegister.getAsInt()));
  }

  /** Whether the result of a copied Phi may be emptied between its join and the Phi. */
  private boolean isEmptiedBefore(int instruction, Set<Integer> operandsOfCalls) {
    int dst = RelayOperands.definition(code.get(instruction));
    return isKilledAt(instruction, dst) || operandsOfCalls.contains(dst);
  }

  private boolean isKilledAt(int instruction, int register) {
    return verified.killed().getOrDefault(instruction, Set.of()).contains(register);
  }

  /** Whether exactly one operand is defined from the join to the Phi. */
  private boolean isDecidedAtRunTime(int instruction, Phi phi, PhiJoin join) {
    return join.edges().stream().noneMatch(PhiEdge::both)
        && !isKilledAt(instruction, phi.first())
        && !isKilledAt(instruction, phi.second())
        && !isEmptiedAt(join.block(), phi.first())
        && !isEmptiedAt(join.block(), phi.second());
  }

  /** Whether a register, at the start of a block, holds at most a value of a former iteration. */
  private boolean isEmptiedAt(int block, int register) {
    return !isParameter(register) && flow.dominates(block, flow.blockOf(definition(register)));
  }

  private boolean isParameter(int register) {
    return register < verified.function().params();
  }

  private int definition(int register) {
    return definitions.getOrDefault(register, 0);
  }

  /** The calls at the index of a Phi. */
  List<Call> calls(int instruction, Phi phi) {
    int dst = registers.get(phi.dst());
    if (!copied.contains(instruction)) {
      return List.of(
          Call.packed(
              dst,
              "vm.builtin.phi",
              registers.operand(phi.first()),
              registers.operand(phi.second())));
    }
    Integer value = saved.get(instruction);
    return value == null ? List.of() : List.of(Call.copy(dst, Operand.register(value)));
  }

  /**
   * Adds copies, and empties operands of calls.
   *
   * @param blocks the blocks of the graph, by those of the function
   */
  void apply(CodeGraph graph, Map<Integer, Integer> blocks) {
    emptyOperands(graph, blocks);
    Map<Edge, ParallelCopy> copies = new LinkedHashMap<>();
    verified.joins().entrySet().stream()
        .filter(join -> copied.contains(join.getKey()))
        .sorted(Map.Entry.comparingByKey())
        .forEach(join -> addCopies(copies, join.getKey(), join.getValue()));
    Map<Integer, List<Call>> placed = new LinkedHashMap<>();
    copies.forEach(
        (edge, copy) -> {
          int block = blockOf(edge, graph, blocks);
          List<Call> sequence = copy.sequence(graph::newRegister);
          graph.block(block).calls().addAll(sequence);
          placed.put(block, sequence);
        });
    if (emptiesOperands) {
      Liveness liveness = Liveness.of(graph);
      placed.forEach((block, calls) -> emptySources(graph, block, calls, liveness));
    }
  }

  private void addCopies(Map<Edge, ParallelCopy> copies, int instruction, PhiJoin join) {
    Phi phi = (Phi) code.get(instruction);
    int dst = saved.getOrDefault(instruction, registers.get(phi.dst()));
    for (PhiEdge edge : join.edges()) {
      copies
          .computeIfAbsent(new Edge(edge.predecessor(), join.block()), _ -> new ParallelCopy())
          .add(dst, registers.operand(edge.second() ? phi.second() : phi.first()));
    }
  }

  /** The block at whose end the copies of an edge are: a new one if its source has two ends. */
  private int blockOf(Edge edge, CodeGraph graph, Map<Integer, Integer> blocks) {
    if (edge.from() == ControlFlow.NONE) {
      return CodeGraph.ENTRY;
    }
    int from = blocks.getOrDefault(edge.from(), CodeGraph.ENTRY);
    int to = blocks.getOrDefault(edge.to(), CodeGraph.ENTRY);
    CodeBlock source = graph.block(from);
    if (!(source.exit() instanceof Exit.Branch(Call condition, int ifTrue, int ifFalse))) {
      return from;
    }
    int split = graph.newBlock();
    graph.block(split).exit(new Exit.Jump(to));
    source.exit(
        new Exit.Branch(condition, ifTrue == to ? split : ifTrue, ifFalse == to ? split : ifFalse));
    return split;
  }

  private static void emptySources(
      CodeGraph graph, int block, List<Call> copies, Liveness liveness) {
    Set<Integer> emptied = new TreeSet<>();
    copies.forEach(copy -> copy.reads().forEach(emptied::add));
    emptied.removeIf(liveness.atEnd(block)::get);
    emptied.forEach(register -> graph.block(block).add(Call.clear(register)));
  }

  /** Operands are empty at the start, and again where control is in front of their definition. */
  private void emptyOperands(CodeGraph graph, Map<Integer, Integer> blocks) {
    Set<Integer> operands = operandsOfCalls();
    operands.forEach(register -> graph.entry().add(Call.clear(registers.get(register))));
    for (int block : flow.reversePostOrder()) {
      if (isJoin(flow.block(block))) {
        List<Call> clears = new ArrayList<>();
        operands.stream()
            .filter(register -> isEmptiedAt(block, register))
            .forEach(register -> clears.add(Call.clear(registers.get(register))));
        graph.block(blocks.getOrDefault(block, CodeGraph.ENTRY)).calls().addAll(0, clears);
      }
    }
  }

  private Set<Integer> operandsOfCalls() {
    Set<Integer> operands = new TreeSet<>();
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Phi phi && isCall(i)) {
        operands.add(phi.first());
        operands.add(phi.second());
      }
    }
    operands.removeIf(this::isParameter);
    return operands;
  }

  private boolean isCall(int instruction) {
    return flow.isReachable(flow.blockOf(instruction)) && !copied.contains(instruction);
  }

  /** Whether paths meet: every entry of a loop is one, also of a loop with several entries. */
  private static boolean isJoin(BasicBlock block) {
    return block.index() == 0 ? !block.predecessors().isEmpty() : block.predecessors().size() > 1;
  }
}
