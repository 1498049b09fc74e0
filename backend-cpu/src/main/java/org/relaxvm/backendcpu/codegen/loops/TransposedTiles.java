package org.relaxvm.backendcpu.codegen.loops;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/**
 * Tiles that are read along one loop and written along the other. Where a tile is only copied, the
 * loops become a {@link Node.Transpose}; else what they read the wrong way round is first turned
 * into memory of the tile, so that all goes along the inner loop. For one tile; not thread-safe.
 */
final class TransposedTiles {
  /** The most elements of a tile that gets memory of its own. */
  private static final long LARGEST = 1 << 16;

  /** Where an element is in memory in terms of the tile. */
  private record Place(PrimExpr first, PrimExpr rowStep, PrimExpr columnStep) {}

  private final Node.Loop rows;
  private final Node.Loop columns;
  private final Node.Store store;
  private final Map<BufferLoad, List<IndexCheck>> checks;
  private final Analyzer analyzer;
  private final Map<BufferLoad, Place> turned = new LinkedHashMap<>();

  private TransposedTiles(
      Node.Loop rows,
      Node.Loop columns,
      Node.Store store,
      Map<BufferLoad, List<IndexCheck>> checks,
      Analyzer analyzer) {
    this.rows = rows;
    this.columns = columns;
    this.store = store;
    this.checks = checks;
    this.analyzer = analyzer;
  }

  /**
   * A loop over the rows of a tile, changed where that helps.
   *
   * @param checks by load, for those that may be out of bounds
   * @param analyzer knows the variables around the loop
   */
  static Node of(Node node, Map<BufferLoad, List<IndexCheck>> checks, Analyzer analyzer) {
    if (!(node instanceof Node.Loop rows)
        || rows.mode() != Node.Mode.SERIAL
        || !(rows.body() instanceof Node.Loop columns)
        || columns.mode() != Node.Mode.VECTOR
        || Affine.uses(columns.min(), rows.counter())
        || Affine.uses(columns.extent(), rows.counter())) {
      return node;
    }
    List<Node.Define> shared = new ArrayList<>();
    Node body = columns.body();
    while (body instanceof Node.Define define && isShared(define.value(), rows, columns)) {
      shared.add(define);
      body = define.body();
    }
    if (!(body instanceof Node.Store store) || !store.checks().isEmpty()) {
      return node;
    }
    return new TransposedTiles(rows, columns, store, checks, analyzer)
        .turn()
        .map(tile -> wrap(shared, rows, columns, tile))
        .orElse(node);
  }

  /** Whether a value is the same all over the tile, and harmless to compute. */
  private static boolean isShared(PrimExpr value, Node.Loop rows, Node.Loop columns) {
    return !Affine.uses(value, rows.counter())
        && !Affine.uses(value, columns.counter())
        && !reads(value);
  }

  private static Node wrap(List<Node.Define> shared, Node.Loop rows, Node.Loop columns, Node tile) {
    if (shared.isEmpty()) {
      return tile;
    }
    Node body = tile;
    for (Node.Define define : shared.reversed()) {
      body = new Node.Define(define.var(), define.value(), body);
    }
    // What divides by an extent may be computed only where there is something to do.
    PrimExpr runs =
        Exprs.and(Exprs.lt(IntImm.of(0), rows.extent()), Exprs.lt(IntImm.of(0), columns.extent()));
    return new Node.Branch(runs, body, Optional.empty());
  }

  private Optional<Node> turn() {
    find(store.value());
    if (turned.isEmpty()) {
      return Optional.empty();
    }
    Optional<Place> target = place(store.index());
    DType dtype = store.buffer().dtype();
    if (store.value() instanceof BufferLoad load
        && target.isPresent()
        && isOne(target.get().columnStep())
        // Of truth values, any byte but 0 is read as 1.
        && !dtype.equals(DType.BOOL)) {
      Place source = Objects.requireNonNull(turned.get(load));
      return Optional.of(
          new Node.Transpose(
              load.buffer(),
              source.first(),
              source.columnStep(),
              store.buffer(),
              target.get().first(),
              target.get().rowStep(),
              rows.extent(),
              columns.extent()));
    }
    return throughMemory();
  }

  /**
   * Finds loads that are contiguous along rows, but not along columns, and read at each iteration.
   */
  private void find(PrimExpr expr) {
    if (expr instanceof BufferLoad load) {
      if (!checks.containsKey(load) && !load.buffer().equals(store.buffer()) && hasSize(load)) {
        place(load.indices().getFirst())
            .filter(place -> isOne(place.rowStep()) && !isNear(place.columnStep()))
            .ifPresent(place -> turned.put(load, place));
      }
    } else if (expr instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE) {
      find(call.args().getFirst());
    } else {
      expr.operands().forEach(this::find);
    }
  }

  private static boolean hasSize(BufferLoad load) {
    int bytes = load.buffer().dtype().elementByteSize();
    return bytes <= Long.BYTES && Integer.bitCount(bytes) == 1;
  }

  private Optional<Node> throughMemory() {
    long height = analyzer.bound(rows.extent()).max();
    long width = analyzer.bound(columns.extent()).max();
    if (height <= 0 || width <= 0 || height > LARGEST || width > LARGEST / height) {
      return Optional.empty();
    }
    PrimExpr row = Exprs.sub(rows.counter(), rows.min());
    PrimExpr column = Exprs.sub(columns.counter(), columns.min());
    PrimExpr index = analyzer.simplify(Exprs.add(Exprs.mul(row, width), column));
    PrimExpr size = IntImm.of(height * width);
    Map<BufferLoad, PrimExpr> tiles = new LinkedHashMap<>();
    List<Node> nodes = new ArrayList<>();
    List<Buffer> buffers = new ArrayList<>();
    turned.forEach(
        (load, place) -> {
          Buffer from = load.buffer();
          Buffer tile =
              Buffer.of(from.name() + "_tile", from.dtype(), List.of(size), MemoryScope.LOCAL);
          buffers.add(tile);
          tiles.put(load, new BufferLoad(tile, List.of(index)));
          nodes.add(
              new Node.Transpose(
                  from,
                  place.first(),
                  place.columnStep(),
                  tile,
                  IntImm.of(0),
                  IntImm.of(width),
                  rows.extent(),
                  columns.extent()));
        });
    Node.Store same =
        new Node.Store(store.buffer(), store.index(), replaced(store.value(), tiles), List.of());
    nodes.add(withBody(rows, withBody(columns, same)));
    Node body = Node.sequence(nodes);
    for (Buffer tile : buffers.reversed()) {
      body = new Node.Allocate(tile, List.of(size), size, body);
    }
    return Optional.of(body);
  }

  private static Node.Loop withBody(Node.Loop loop, Node body) {
    return new Node.Loop(
        loop.counter(), loop.min(), loop.extent(), loop.mode(), loop.grain(), body);
  }

  /** Loads that are checked stay the same objects. */
  private static PrimExpr replaced(PrimExpr expr, Map<BufferLoad, PrimExpr> tiles) {
    if (expr instanceof BufferLoad load) {
      return tiles.getOrDefault(load, load);
    }
    List<PrimExpr> operands = expr.operands();
    List<PrimExpr> others = operands.stream().map(operand -> replaced(operand, tiles)).toList();
    return others.equals(operands) ? expr : Exprs.rebuild(expr, others);
  }

  private Optional<Place> place(PrimExpr index) {
    if (reads(index)) {
      return Optional.empty();
    }
    PrimExpr rowStep = step(index, rows.counter());
    PrimExpr columnStep = step(index, columns.counter());
    if (usesTile(rowStep) || usesTile(columnStep)) {
      return Optional.empty();
    }
    PrimExpr first =
        Substitution.in(
            index, Map.of(rows.counter(), rows.min(), columns.counter(), columns.min()));
    return Optional.of(new Place(analyzer.simplify(first), rowStep, columnStep));
  }

  private PrimExpr step(PrimExpr index, Var counter) {
    PrimExpr next = Substitution.in(index, Map.of(counter, Exprs.add(counter, 1)));
    return analyzer.simplify(Exprs.sub(next, index));
  }

  private boolean usesTile(PrimExpr expr) {
    return Affine.uses(expr, rows.counter()) || Affine.uses(expr, columns.counter());
  }

  private static boolean isOne(PrimExpr step) {
    return step instanceof IntImm known && known.value() == 1;
  }

  /** Whether neighbours are neighbours, or the same. */
  private static boolean isNear(PrimExpr step) {
    return step instanceof IntImm known && (known.value() == 1 || known.value() == 0);
  }

  private static boolean reads(PrimExpr expr) {
    return expr instanceof BufferLoad || expr.operands().stream().anyMatch(TransposedTiles::reads);
  }
}
