package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.convert.Branches.Branch;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.proto.SparseTensorProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.spi.OnnxNode;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * A node that is being translated: its operands, its attributes, and where bindings go. Not
 * thread-safe.
 *
 * <p>Rationale: docs/rationale/interop-onnx.md, "Why do operators of third parties get an interface
 * and not the converter's class?"
 */
public final class NodeContext implements OnnxNode {
  private final GraphImporter importer;
  private final Scope scope;
  private final NodeProto node;
  private final Attributes attributes;
  private final long version;
  private final boolean takesBytes;
  private final @Nullable List<Operand> given;

  NodeContext(GraphImporter importer, Scope scope, NodeProto node, long version) {
    this(importer, scope, node, version, false, null);
  }

  /**
   * @param takesBytes whether operands of less than 8 bits have one byte for each element
   * @param given operands instead of the inputs of the node; null for those
   */
  private NodeContext(
      GraphImporter importer,
      Scope scope,
      NodeProto node,
      long version,
      boolean takesBytes,
      @Nullable List<Operand> given) {
    this.importer = importer;
    this.scope = scope;
    this.node = node;
    this.attributes = new Attributes(node.attributes(), scope);
    this.version = version;
    this.takesBytes = takesBytes;
    this.given = given == null ? null : List.copyOf(given);
  }

  /** The same node, with one byte for each element of operands of less than 8 bits. */
  NodeContext ofBytes() {
    return new NodeContext(importer, scope, node, version, true, given);
  }

  @Override
  public String operator() {
    return node.opType();
  }

  @Override
  public long version() {
    return version;
  }

  @Override
  public Attributes attributes() {
    return attributes;
  }

  /** How the model is imported. */
  public OnnxOptions options() {
    return importer.model.options;
  }

  // ---------------------------------------------------------------- operands

  @Override
  public int inputs() {
    return given == null ? node.inputs().size() : given.size();
  }

  @Override
  public int outputs() {
    return node.outputs().size();
  }

  /** Whether an output is wanted. */
  public boolean wants(int output) {
    return output < node.outputs().size() && !node.outputs().get(output).isEmpty();
  }

  @Override
  public boolean has(int input) {
    return isNamed(input) && !(value(input) instanceof Operand.Maybe(var value) && value.isEmpty());
  }

  private boolean isNamed(int input) {
    return input < inputs() && (given != null || !node.inputs().get(input).isEmpty());
  }

  private Operand value(int input) {
    return given == null ? importer.value(node.inputs().get(input), scope) : given.get(input);
  }

  /** An input. */
  public Operand operand(int input) {
    if (!isNamed(input)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "input " + input + " is absent; the operator requires it");
    }
    Operand operand = value(input);
    if (takesBytes && lowBit(operand).isPresent()) {
      return operandOf(bytes(operand));
    }
    return operand;
  }

  /** All inputs, which must be there. */
  public List<Operand> operands() {
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < inputs(); i++) {
      operands.add(operand(i));
    }
    return new RequiredList<>(operands, "inputs");
  }

  /** What another rule gives for this node, some of whose inputs are replaced by other operands. */
  public List<Operand> translated(Map<Integer, Operand> replaced, Converter converter) {
    List<Operand> operands = givenOperands();
    replaced.forEach(operands::set);
    return converter.convert(new NodeContext(importer, scope, node, version, takesBytes, operands));
  }

  @Override
  public Expr tensor(int input) {
    return importer.tensors.leaf(operand(input));
  }

  /** An optional input as a leaf of a tensor type. */
  public Optional<Expr> optional(int input) {
    return has(input) ? Optional.of(tensor(input)) : Optional.empty();
  }

  /** All inputs as leaves of tensor types. */
  public List<Expr> tensors() {
    return new RequiredList<>(operands().stream().map(importer.tensors::leaf).toList(), "inputs");
  }

  /** An operand as a leaf of a tensor type. */
  public Expr leaf(Operand operand) {
    return importer.tensors.leaf(operand);
  }

  /** The dtype of an operand, if kernels do not compute with it: its elements are bytes then. */
  public Optional<DType> lowBit(Operand operand) {
    return importer.tensors.lowBits().dtype(operand);
  }

  /** An operand as a leaf; of a dtype that kernels do not compute with, one byte an element. */
  public Expr bytes(Operand operand) {
    return importer.tensors.lowBits().bytes(operand);
  }

  /**
   * A tensor of a dtype as an operand.
   *
   * @param value one byte an element, if kernels do not compute with the dtype
   */
  public Operand operandOf(Expr value, DType dtype) {
    return LowBits.isOne(dtype) ? new Operand.LowBit(emit(value), dtype) : operandOf(value);
  }

  /** The elements of an input, if they are known. */
  public Optional<Known> known(int input) {
    return has(input) ? importer.tensors.known(operand(input)) : Optional.empty();
  }

  /** The elements of an operand, if they are known. */
  public Optional<Known> known(Operand operand) {
    return importer.tensors.known(operand);
  }

  @Override
  public Optional<List<Long>> integers(int input) {
    return known(input)
        .flatMap(Known::longs)
        .map(numbers -> new RequiredList<>(numbers, "numbers in input " + input));
  }

  /**
   * The integers of an input that must be known because they decide axes; empty when the input is
   * absent. Where they are computed from small inputs of the model, those are noted, and the node
   * is translated again for each of their values.
   *
   * @param what they are, for messages, such as {@code axes}
   * @throws InvalidProgramException when they are computed from anything else
   */
  public Optional<List<Long>> deciding(int input, String what) {
    if (!has(input)) {
      return Optional.empty();
    }
    Optional<List<Long>> known = integers(input);
    if (known.isEmpty()) {
      Set<String> inputs = importer.model.parameters.deciding(tensor(input));
      if (!inputs.isEmpty()) {
        throw new Undecided(inputs);
      }
      throw unsupported(
          "the " + what + " are computed at run time", "make them a constant (--value)");
    }
    return known;
  }

  /**
   * Whether extents that decide axes are numbers. Where they are not, and follow from small inputs
   * of the model, those are noted, and the node is translated again for each of their values.
   */
  public boolean areDecided(List<PrimExpr> extents) {
    Set<String> inputs = importer.model.parameters.deciding(extents);
    if (!inputs.isEmpty()) {
      throw new Undecided(inputs);
    }
    return extents.stream().allMatch(IntImm.class::isInstance);
  }

  /**
   * The integers of an input that is a shape: expressions of the elements that are known, or
   * symbols that are bound at run time. The input has one axis whose extent is known, or none.
   */
  public List<PrimExpr> extents(int input) {
    return extents(operand(input));
  }

  /** The integers of an operand that is a shape, as {@link #extents(int)} gives those of inputs. */
  public List<PrimExpr> extents(Operand operand) {
    return new RequiredList<>(
        importer.tensors.extents(operand, this), "numbers in an input that is a shape");
  }

  /** A tensor of an attribute. */
  public Operand weight(TensorProto tensor) {
    return importer.used(importer.weight(tensor, "a tensor of node '" + label() + "'"));
  }

  /**
   * Counts a constant that is about to be made, so that no model makes too large ones.
   *
   * @param bytes of an element
   * @return the number of elements
   */
  public int reserve(long elements, int bytes) {
    return importer.model.reserve(elements, bytes);
  }

  /** A sparse tensor of an attribute. */
  public Operand sparse(SparseTensorProto tensor) {
    return importer.used(importer.sparse(tensor, "a tensor of node '" + label() + "'"));
  }

  /** A tensor that is known. */
  public Operand constant(Tensor tensor) {
    return GraphImporter.constant(new Constant(tensor));
  }

  @Override
  public Expr scalar(DType dtype, double value) {
    Element element = dtype.isFloat() ? new Element.Real(value) : Element.of((long) value);
    if (Known.admits(dtype, Shape.of())) {
      return leaf(new Known(dtype, Shape.of(), List.of(element)));
    }
    DType wide = dtype.isFloat() ? DType.FLOAT32 : DType.INT64;
    return emit(Ops.astype(leaf(new Known(wide, Shape.of(), List.of(element))), dtype));
  }

  // ---------------------------------------------------------------- types

  @Override
  public TensorType type(Expr leaf) {
    return importer.tensors.type(leaf);
  }

  @Override
  public DType dtype(Expr leaf) {
    return type(leaf)
        .dtype()
        .orElseThrow(() -> unsupported("the dtype of an input is unknown", ""));
  }

  /** The dtype and shape of an operand, without reading or computing it. */
  public TensorType typeOf(Operand operand) {
    return importer.tensors.typeOf(operand);
  }

  @Override
  public int rank(Expr leaf) {
    TensorType type = type(leaf);
    if (!type.hasRank()) {
      throw unsupported(
          "the number of axes of an input is unknown", "give the inputs of the model shapes");
    }
    return type.ndim();
  }

  @Override
  public List<PrimExpr> dims(Expr leaf) {
    return new RequiredList<>(importer.tensors.dims(leaf), "axes of a tensor");
  }

  /**
   * An axis as a number from 0.
   *
   * @param axis negative ones count from the end
   */
  public int axis(long axis, int rank) {
    if (axis < -rank || axis >= Math.max(rank, 1)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "there is no axis " + axis + " of " + rank + " axes");
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  // ---------------------------------------------------------------- results

  /** Where bindings go, for what the methods here do not offer. */
  public BlockBuilder builder() {
    return importer.model.builder;
  }

  /** What is known about symbolic extents. */
  public Analyzer analyzer() {
    return builder().analyzer();
  }

  @Override
  public Expr emit(Expr value) {
    return importer.emit(value, hint());
  }

  /** The expression as the one result. */
  public List<Operand> result(Expr value) {
    return List.of(operandOf(value));
  }

  @Override
  public Expr callPacked(String function, List<? extends Expr> args, TensorType result) {
    return emit(CallOps.callDpsPacked(function, args, result));
  }

  /** Each expression as a result. */
  public List<Operand> results(List<? extends Expr> values) {
    return values.stream().map(this::operandOf).toList();
  }

  /** The expression as an operand. */
  public Operand operandOf(Expr value) {
    Expr leaf = emit(value);
    return new Operand.Computed(leaf, importer.tensors.anyType(leaf));
  }

  /** The value with another type, which is checked at run time. */
  public Expr matchCast(Expr value, Type type) {
    return builder().emitMatchCast(value, type, hint());
  }

  /** Gives symbols the extents of a shape, when the program runs. */
  void bind(List<Var> symbols, Expr shape) {
    matchCast(shape, ShapeType.of(symbols));
    importer.model.parameters.bind(symbols, shape);
  }

  @Override
  public List<Expr> broadcast(List<Expr> leaves) {
    return new RequiredList<>(importer.tensors.broadcast(leaves, hint()), "inputs");
  }

  /**
   * The leaf with extents that it is taken to have, one for each axis. Where that is not sure, it
   * is checked at run time; extents that surely differ stay.
   */
  public Expr assume(Expr leaf, List<PrimExpr> dims) {
    return importer.tensors.assumed(leaf, dims, hint());
  }

  /** Of two extents that broadcast the one that the result has, rather the simpler one. */
  public static PrimExpr common(@Nullable PrimExpr a, PrimExpr b) {
    return Tensors.moreCertain(a, b);
  }

  /** Whether an extent that is no constant is 1 at most, such as that of {@code x[:1]}. */
  public boolean isAtMostOne(PrimExpr extent) {
    return importer.tensors.isAtMostOne(extent);
  }

  /** A symbolic extent that a {@link #matchCast} defines. */
  public Var symbol(String suffix) {
    return importer.model.symbols.symbol(hint() + "_" + suffix);
  }

  /** A name for what the node makes. */
  public String hint() {
    String output = node.outputs().isEmpty() ? "" : node.outputs().getFirst();
    return Names.identifier(output.isEmpty() ? node.name() : output, "lv");
  }

  /**
   * Translates a subgraph among the bindings of this node.
   *
   * @param arguments of its inputs, by position
   * @param use tells several uses of the subgraph apart
   * @return its outputs
   */
  public List<Operand> inline(GraphProto graph, List<Operand> arguments, String use) {
    return importer.graph(graph, arguments, scope.subgraph(label(), scope.key(node) + use, false));
  }

  /** Translates a subgraph as the body of a function that is begun. */
  public List<Operand> body(GraphProto graph, List<Operand> arguments) {
    return importer.graph(graph, arguments, scope.subgraph(label(), scope.key(node), true));
  }

  /**
   * A choice between two subgraphs without inputs.
   *
   * @param condition a bool tensor without axes
   * @return the outputs of the one that is chosen
   */
  public List<Operand> choice(Expr condition, GraphProto whenTrue, GraphProto whenFalse) {
    Optional<Boolean> decision = importer.copies().decision(scope.key(node));
    if (decision.isPresent()) {
      return inline(decision.get() ? whenTrue : whenFalse, List.of(), "");
    }
    int copies = importer.copies().count();
    int unresolved = importer.copies().unresolved();
    Branch first = branch(whenTrue, "then");
    Branch second = branch(whenFalse, "else");
    if (!first.isAvailable() || !second.isAvailable()) {
      return GraphImporter.unavailable(node);
    }
    if (first.types().size() != second.types().size()) {
      throw unsupported(
          "the branches have "
              + first.types().size()
              + " and "
              + second.types().size()
              + " outputs; expected as many",
          "");
    }
    List<ValueType> types = importer.branches.common(first, second);
    boolean differ = importer.copies().unresolved() > unresolved;
    for (int i = 0; i < types.size(); i++) {
      differ |=
          ValueTypes.lacksRank(types.get(i))
              && !ValueTypes.lacksRank(first.types().get(i))
              && !ValueTypes.lacksRank(second.types().get(i));
    }
    if (differ) {
      importer.copies().reset(copies);
      throw new Split(scope.key(node), label(), condition);
    }
    return importer.branches.chosen(condition, first, second, types, hint());
  }

  private Branch branch(GraphProto graph, String use) {
    return importer.branches.branch(
        () ->
            importer.graph(graph, List.of(), scope.subgraph(label(), scope.key(node) + use, true)),
        hint());
  }

  /**
   * Runs an action whose bindings are dropped. What it reports stays only if it has an error.
   *
   * @param action emits bindings
   */
  public <T> T trial(Supplier<T> action) {
    return importer.trial(action);
  }

  /** Emits bindings into a sequence of its own, such as a branch. */
  public SeqExpr sequence(Supplier<Expr> body) {
    return importer.branches.sequence(body);
  }

  /** The type of a variable that holds packed values; extents that differ are new symbols. */
  public Type variableType(ValueType type) {
    return type instanceof ValueType.OfTensor tensor
        ? importer.values.target(tensor, hint())
        : AnyType.ANY;
  }

  /** The type of an operand of any kind. */
  public ValueType valueType(Operand operand) {
    return importer.values.typeOf(operand);
  }

  /** A leaf with the value of an operand of any kind. */
  public Expr packed(Operand operand) {
    return importer.values.packed(operand, hint());
  }

  /** The operand of a leaf that holds the packed value of an operand of a type. */
  public Operand unpacked(Expr leaf, ValueType type) {
    return importer.values.unpacked(leaf, type, hint());
  }

  /** Strings that an expression computes, of extents that are compared at run time. */
  public Operand text(Expr value, List<PrimExpr> dims) {
    return importer.values.text(emit(value), dims, hint());
  }

  /** What two types have in common, in terms of the symbols that are defined here. */
  public ValueType common(ValueType a, ValueType b) {
    return importer.model.valueTypes().join(a, b);
  }

  /** A type in terms of the symbols that are defined here. */
  public ValueType seen(ValueType type) {
    return importer.model.valueTypes().seen(type);
  }

  /** What the elements of a sequence have in common; empty when there is none. */
  public Optional<ValueType> elementType(ValueType sequence) {
    return importer.model.valueTypes().elementOf(sequence);
  }

  /** The type of a variable that holds values of a type and others of its kind in turn. */
  public ValueType changing(ValueType type) {
    return importer.model.valueTypes().changing(importer.model.valueTypes().seen(type));
  }

  /**
   * The results of an operator of {@code ai.onnx} with the attributes of this node.
   *
   * @param onnxVersion the version of {@code ai.onnx} by which the operator is read
   */
  public List<Operand> apply(String operator, long onnxVersion, List<Operand> operands) {
    String problem = "it needs " + operator + ", which is not supported";
    OperatorTable.Entry entry =
        importer.model.operators.find("", operator).orElseThrow(() -> unsupported(problem, ""));
    return LowBits.translated(
        entry, new NodeContext(importer, scope, node, onnxVersion, false, operands));
  }

  /** The inputs as another operator gets them, absent ones included. */
  public List<Operand> givenOperands() {
    List<Operand> operands = new ArrayList<>();
    for (int i = 0; i < inputs(); i++) {
      operands.add(isNamed(i) ? value(i) : new Operand.Maybe(Optional.empty()));
    }
    return operands;
  }

  @Override
  public String label() {
    return importer.label(node);
  }

  /** The node as {@link #label()} has it, after the nodes that it is inside of. */
  public String path() {
    return scope.path() + label();
  }

  @Override
  public InvalidProgramException unsupported(String problem, String remedy) {
    return new InvalidProgramException(
        ErrorKind.VALUE, remedy.isEmpty() ? problem : problem + "\n  what to do: " + remedy);
  }
}
