package org.relaxvm.backendcpu.codegen.emit;

import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Names;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** The numbers of buffers, variables and methods of a class that is being generated. */
final class ClassPlan {
  /**
   * A method that is to be written: one that runs iterations of a loop, or one that runs a
   * statement.
   */
  sealed interface Method {
    /** The name. */
    String name();

    /** What it runs. */
    Node node();

    /** Iterations of a parallel loop. */
    record Part(int number, Node.Loop loop) implements Method {
      @Override
      public String name() {
        return "part" + number;
      }

      @Override
      public Node node() {
        return serial();
      }

      /** The loop as one thread runs it. */
      Node.Loop serial() {
        return loop.withMode(Node.Mode.SERIAL);
      }
    }

    /**
     * A loop in vectors, alone in its method: C2 gives up on methods with many vector operations.
     *
     * @param turns those of the loop that it runs
     * @param variables that it gets as arguments
     * @param given expressions whose values follow as arguments
     * @param buffers whose memory follows as arguments
     * @param memory what is known of it
     */
    record Lanes(
        int number,
        Node.Loop loop,
        Turns turns,
        List<Var> variables,
        List<PrimExpr> given,
        List<Buffer> buffers,
        MemoryKind memory)
        implements Method {
      /** Copies the lists. */
      public Lanes {
        variables = List.copyOf(variables);
        given = List.copyOf(given);
        buffers = List.copyOf(buffers);
      }

      @Override
      public String name() {
        return (turns == Turns.REST ? "rest" : "loop") + number;
      }

      @Override
      public Node node() {
        return loop;
      }

      /** The types of its arguments. */
      MethodTypeDesc type() {
        List<ClassDesc> types = new ArrayList<>();
        variables.forEach(var -> types.add(JvmKind.of(var.dtype()).desc()));
        given.forEach(expr -> types.add(JvmKind.of(expr.dtype()).desc()));
        for (int i = 0; i < buffers.size(); i++) {
          types.add(memory == MemoryKind.PINNED ? ConstantDescs.CD_long : Calls.SEGMENT);
          types.add(ConstantDescs.CD_long);
        }
        return MethodTypeDesc.of(ConstantDescs.CD_void, types);
      }
    }

    /** A part of an expression that is too long for one method. */
    record Value(int number, PrimExpr expr) implements Method {
      @Override
      public String name() {
        return "value" + number;
      }

      @Override
      public Node node() {
        return new Node.Result(expr);
      }

      /** The types of its argument and result. */
      MethodTypeDesc type() {
        return Calls.type(JvmKind.of(expr.dtype()).desc(), Calls.FRAME);
      }
    }

    /** A statement of a kernel that is too long for one method. */
    record Stage(int number, Node node) implements Method {
      @Override
      public String name() {
        return "stage" + number;
      }
    }
  }

  /** Iterations of a loop in vectors. */
  enum Turns {
    ALL,
    /** Those of whole vectors. */
    WHOLE,
    /** Those that are left after whole vectors. */
    REST
  }

  private final ClassDesc self;
  private final LoopProgram program;
  private final MemoryKind memory;
  private final @Nullable LaneTable lanes;
  private final Map<Buffer, Integer> buffers = new IdentityHashMap<>();
  private final Map<Var, Integer> variables = new IdentityHashMap<>();
  private final Map<Buffer, List<PrimExpr>> shapes = new IdentityHashMap<>();
  private final Map<Node.Loop, Reach> reaches = new IdentityHashMap<>();
  private final List<String> functions = new ArrayList<>();
  private final Deque<Method> pending = new ArrayDeque<>();
  private int parts;
  private int stages;
  private int values;
  private int loops;

  ClassPlan(ClassDesc self, LoopProgram program, @Nullable LaneTable lanes, MemoryKind memory) {
    this.self = self;
    this.program = program;
    this.memory = memory;
    this.lanes = lanes;
    program.buffers().forEach(this::number);
    program.variables().forEach(this::number);
  }

  ClassDesc self() {
    return self;
  }

  LoopProgram program() {
    return program;
  }

  /** What is known of the memory of all buffers. */
  MemoryKind memory() {
    return memory;
  }

  /** The vector operations that there are; null for code without vectors. */
  @Nullable LaneTable lanes() {
    return lanes;
  }

  /** The vector operations of code with vectors. */
  LaneTable lanesOrThrow() {
    return java.util.Objects.requireNonNull(lanes);
  }

  int number(Buffer buffer) {
    return buffers.computeIfAbsent(buffer, key -> buffers.size());
  }

  int number(Var var) {
    return variables.computeIfAbsent(var, key -> variables.size());
  }

  /** Remembers the shape that an allocated buffer has for packed calls. */
  void shape(Buffer buffer, List<PrimExpr> shape) {
    shapes.put(buffer, shape);
  }

  /** The shape of an allocated buffer; null of a parameter. */
  @Nullable List<PrimExpr> shapeOrNull(Buffer buffer) {
    return shapes.get(buffer);
  }

  /** What a loop in vectors reaches. */
  Reach reach(Node.Loop loop) {
    return reaches.computeIfAbsent(loop, key -> Reach.of(this, loop));
  }

  int function(String name) {
    int known = functions.indexOf(name);
    if (known >= 0) {
      return known;
    }
    functions.add(name);
    return functions.size() - 1;
  }

  Method.Part part(Node.Loop loop) {
    Method.Part part = new Method.Part(parts++, loop);
    pending.add(part);
    return part;
  }

  Method.Stage stage(Node node) {
    Method.Stage stage = new Method.Stage(stages++, node);
    pending.add(stage);
    return stage;
  }

  Method.Value value(PrimExpr expr) {
    Method.Value value = new Method.Value(values++, expr);
    pending.add(value);
    return value;
  }

  /**
   * The methods of a loop in vectors: one, or one for whole vectors and one for the rest.
   *
   * @param given expressions that are computed in front of the loop
   */
  List<Method.Lanes> lanes(Node.Loop loop, boolean apart, List<PrimExpr> given) {
    Names names = Names.of(program, loop, new LinkedHashSet<>(given));
    List<Var> used = List.copyOf(names.variables());
    List<Buffer> works = List.copyOf(names.buffers());
    int number = loops++;
    List<Turns> parts = apart ? List.of(Turns.WHOLE, Turns.REST) : List.of(Turns.ALL);
    List<Method.Lanes> methods =
        parts.stream()
            .map(turns -> new Method.Lanes(number, loop, turns, used, given, works, memory))
            .toList();
    pending.addAll(methods);
    return methods;
  }

  /** The next method to write; null when all are written. */
  @Nullable Method next() {
    return pending.pollFirst();
  }

  int parts() {
    return parts;
  }

  int bufferCount() {
    return buffers.size();
  }

  int variableCount() {
    return variables.size();
  }

  List<String> functions() {
    return List.copyOf(functions);
  }
}
