package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferRegion;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/** Statements as objects. */
final class StmtWriter {
  private static final long THREAD_INDEX = 1;

  private final ScalarWriter scalars;
  private final NodeMaker nodes;
  private final Map<Handle, ObjectNode> handles = new IdentityHashMap<>();

  StmtWriter(ScalarWriter scalars, NodeMaker nodes) {
    this.scalars = scalars;
    this.nodes = nodes;
  }

  /** The node of a handle; always the same. */
  ObjectNode handle(Handle handle) {
    return handles.computeIfAbsent(
        handle,
        h -> nodes.make("ir.Var", "ty", nodes.scalarType(PackedCalls.handle()), "name", h.name()));
  }

  /** A statement as one node. */
  ObjectNode write(Stmt stmt) {
    return switch (stmt) {
      case For loop -> loop(loop);
      case BlockRealize realize -> realize(realize);
      case BufferStore store ->
          statement(
              "tirx.BufferStore",
              "buffer",
              scalars.buffer(store.buffer()),
              "value",
              scalars.write(store.value()),
              "indices",
              scalars.writeAll(store.indices()),
              "predicate",
              null);
      case IfThenElse branch ->
          statement(
              "tirx.IfThenElse",
              "condition",
              scalars.write(branch.condition()),
              "then_case",
              write(branch.whenTrue()),
              "else_case",
              branch.whenFalse().map(this::write).orElse(null));
      case Return result -> statement("tirx.Return", "value", scalars.write(result.value()));
      case LoopJump jump -> statement(jump == LoopJump.BREAK ? "tirx.Break" : "tirx.Continue");
      case CallPacked call -> evaluate(call(call, DType.INT32));
      case Seq _, Let _, LetCall _ -> sequence(stmt);
    };
  }

  private ObjectNode sequence(Stmt stmt) {
    List<ObjectNode> items = new ArrayList<>();
    Stmt open = stmt;
    while (open != null) {
      open =
          switch (open) {
            case Let let -> {
              items.add(bind(let.var(), scalars.write(let.value())));
              yield let.body();
            }
            case LetCall let -> {
              items.add(bind(let.var(), call(let.call(), let.var().dtype())));
              yield let.body();
            }
            case Seq(List<Stmt> statements) when !statements.isEmpty() -> {
              statements.subList(0, statements.size() - 1).forEach(s -> items.add(write(s)));
              yield last(statements, items);
            }
            case Seq _ -> {
              items.add(evaluate(scalars.write(new IntImm(DType.INT32, 0))));
              yield null;
            }
            default -> {
              items.add(write(open));
              yield null;
            }
          };
    }
    return items.size() == 1
        ? items.getFirst()
        : statement("tirx.SeqStmt", "seq", List.copyOf(items));
  }

  /** What goes on in the same sequence: a let statement at the end; anything else is an item. */
  private @Nullable Stmt last(List<Stmt> statements, List<ObjectNode> items) {
    Stmt last = statements.getLast();
    if (last instanceof Let || last instanceof LetCall) {
      return last;
    }
    items.add(write(last));
    return null;
  }

  private ObjectNode bind(Var var, ObjectNode value) {
    return statement("tirx.Bind", "var", scalars.variable(var), "value", value);
  }

  private ObjectNode evaluate(ObjectNode value) {
    return statement("tirx.Evaluate", "value", value);
  }

  private ObjectNode loop(For loop) {
    return statement(
        "tirx.For",
        "loop_var",
        scalars.variable(loop.loopVar()),
        "min",
        scalars.write(loop.min()),
        "extent",
        scalars.write(loop.extent()),
        "kind",
        (long) loop.kind().ordinal(),
        "body",
        write(loop.body()),
        "thread_binding",
        loop.thread().map(axis -> thread(axis, loop.loopVar().dtype())).orElse(null),
        "annotations",
        loop.annotations(),
        "step",
        null);
  }

  private ObjectNode thread(ThreadAxis axis, DType dtype) {
    ObjectNode index = nodes.make("ir.Var", "ty", nodes.scalarType(dtype), "name", "");
    return axis(null, index, THREAD_INDEX, axis.text());
  }

  private ObjectNode axis(
      @Nullable ObjectNode domain, ObjectNode variable, long kind, String thread) {
    return nodes.make(
        "tirx.IterVar", "dom", domain, "var", variable, "iter_type", kind, "thread_tag", thread);
  }

  private ObjectNode realize(BlockRealize realize) {
    return statement(
        "tirx.SBlockRealize",
        "iter_values",
        scalars.writeAll(realize.iterValues()),
        "predicate",
        scalars.write(realize.predicate()),
        "block",
        block(realize.block()));
  }

  private ObjectNode block(Block block) {
    return statement(
        "tirx.SBlock",
        "iter_vars",
        block.iterVars().stream().map(this::axis).toList(),
        "reads",
        block.reads().stream().map(this::region).toList(),
        "writes",
        block.writes().stream().map(this::region).toList(),
        "name_hint",
        block.name(),
        "alloc_buffers",
        block.allocBuffers().stream().map(scalars::buffer).toList(),
        "match_buffers",
        List.of(),
        "annotations",
        block.annotations(),
        "init",
        block.init().map(this::write).orElse(null),
        "body",
        write(block.body()));
  }

  private ObjectNode axis(IterVar axis) {
    return axis(
        range(axis.domain()), scalars.variable(axis.var()), BlockReader.number(axis.kind()), "");
  }

  private ObjectNode range(Range range) {
    return nodes.make(
        "ir.Range",
        "min",
        scalars.write(range.min()),
        "extent",
        scalars.write(range.extent()),
        "span",
        null);
  }

  private ObjectNode region(BufferRegion region) {
    return nodes.make(
        "tirx.BufferRegion",
        "buffer",
        scalars.buffer(region.buffer()),
        "region",
        region.ranges().stream().map(this::range).toList());
  }

  private ObjectNode call(CallPacked call, DType dtype) {
    List<ObjectNode> args = new ArrayList<>();
    call.result().ifPresent(cell -> args.addAll(item(cell)));
    args.add(text(call.name()));
    call.args().forEach(arg -> args.add(argument(arg)));
    return scalars.intrinsic(
        PackedCalls.operator(call.linkage(), call.result().isPresent()), dtype, args);
  }

  private List<ObjectNode> item(AnyListItem item) {
    return List.of(handle(item.list()), scalars.write(new IntImm(DType.INT32, item.index())));
  }

  private ObjectNode argument(PackedArg arg) {
    DType handle = PackedCalls.handle();
    return switch (arg) {
      case PackedArg.OfBuffer(var buffer) -> scalars.buffer(buffer);
      case PackedArg.OfScalar(PrimExpr value) -> scalars.write(value);
      case PackedArg.OfText(String value) -> text(value);
      case PackedArg.OfHandle(Handle given) -> handle(given);
      case PackedArg.OfItem(AnyListItem item) ->
          scalars.intrinsic(PackedCalls.GET_ITEM, handle, item(item));
      case PackedArg.OfNull() ->
          scalars.intrinsic(PackedCalls.REINTERPRET, handle, List.of(scalars.write(IntImm.of(0))));
    };
  }

  private ObjectNode text(String value) {
    return nodes.make("tirx.StringImm", "ty", nodes.scalarType(DType.VOID), "value", value);
  }

  /** A statement, whose position in a source is required, if only to be unknown. */
  private ObjectNode statement(String key, @Nullable Object... fields) {
    @Nullable Object[] all = Arrays.copyOf(fields, fields.length + 2);
    all[fields.length] = "span";
    return nodes.make(key, all);
  }
}
