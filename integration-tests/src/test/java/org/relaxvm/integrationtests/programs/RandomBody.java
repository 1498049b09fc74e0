package org.relaxvm.integrationtests.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.DataflowVar;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.integrationtests.programs.RandomOps.Made;

/** The statements of a function of a random program, and the tensors that they can use. */
final class RandomBody {
  private static final long MOST_ELEMENTS = 300;
  private static final int ATTEMPTS = 20;

  private final SplittableRandom random;
  private final BlockBuilder builder;
  private final Extents extents;
  private final RandomOps ops;
  private final RandomShapes shapes;
  private final List<Item> pool = new ArrayList<>();

  RandomBody(SplittableRandom random, BlockBuilder builder, Extents extents) {
    this.random = random;
    this.builder = builder;
    this.extents = extents;
    this.ops = new RandomOps(random);
    this.shapes = new RandomShapes(random, ops, extents);
  }

  RandomOps ops() {
    return ops;
  }

  List<Item> pool() {
    return pool;
  }

  Item any() {
    // What came last is used more often, so that there are long chains.
    int back = Math.min(random.nextInt(pool.size()), random.nextInt(pool.size()));
    return pool.get(pool.size() - 1 - back);
  }

  /** Emits a call of an operator. */
  void operator() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Made made = made();
      if (made != null) {
        add(emit(made));
        return;
      }
    }
  }

  private @Nullable Made made() {
    Item x = any();
    Item y = any();
    return switch (random.nextInt(18)) {
      case 0, 1, 2 -> ops.unary(x);
      case 3, 4, 5 -> ops.binary(x, y);
      case 6 -> ops.withNumber(x);
      case 7 -> ops.comparison(x, y);
      case 8 -> ops.choice(any(), x, y);
      case 9 -> ops.conversion(x);
      case 10, 11 -> shapes.reduction(x);
      case 12 -> random.nextBoolean() ? shapes.product(x, y) : shapes.rows(x, y);
      case 13 -> random.nextBoolean() ? shapes.place(x) : shapes.sorted(x);
      case 14 -> shapes.created(x);
      default -> shapes.moved(x, y);
    };
  }

  Item emit(Made made) {
    boolean isOutput = builder.isDataflow() && random.nextBoolean();
    RelaxVar var = isOutput ? builder.emitOutput(made.expr()) : builder.emit(made.expr());
    return Item.of(var, made.exact(), made.bound(), made.scale());
  }

  /** Makes a tensor one that later statements use. */
  void add(Item item) {
    if (!item.isUseless() && extents.elements(item.dims()) <= MOST_ELEMENTS) {
      pool.add(item);
    }
  }

  /** Emits operators that keep dtype and shape. */
  Item chain(Item first, int length) {
    Item item = first;
    for (int i = 0; i < length; i++) {
      Made made = random.nextBoolean() ? ops.binary(item, any()) : ops.unary(item);
      item = emit(made == null ? ops.withNumber(item) : made);
    }
    return item;
  }

  /** A parameter: integers of small magnitude. */
  Item parameter(RelaxVar param) {
    Item item = Item.of(param, true, RandomProgram.BOUND, RandomProgram.BOUND);
    pool.add(item);
    return item;
  }

  void beginDataflow() {
    builder.beginBlock(true);
  }

  /** Ends a dataflow block, behind which not all of its tensors are seen. */
  void endDataflow() {
    builder.endBlock();
    pool.removeIf(item -> item.expr() instanceof DataflowVar);
  }

  /** A tensor of a type that the program knows completely; null for others. */
  static @Nullable Item known(RelaxVar var, Item like) {
    boolean isKnown = var.type() instanceof TensorType type && type.dims().isPresent();
    return isKnown ? Item.of(var, like.exact(), like.bound(), like.scale()) : null;
  }
}
