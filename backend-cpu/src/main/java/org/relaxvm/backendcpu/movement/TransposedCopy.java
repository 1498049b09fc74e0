package org.relaxvm.backendcpu.movement;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.kernel.Parallel;
import org.relaxvm.backendcpu.kernel.TurnedMatrix;

/**
 * A copy in which neighbours of the source are not neighbours of the target. Elements one by one go
 * in squares small enough that the lines of memory they touch on both sides stay in the nearest
 * cache; squares in registers go along longer runs of the source.
 */
final class TransposedCopy {
  private static final int TILE = 32;

  /**
   * Bytes of a run that is read by squares in registers. Runs this long are fetched ahead; the
   * lines written meanwhile are complete at once and need not stay.
   */
  private static final int RUN = 2048;

  /**
   * Elements of a run that squares in registers write before they go on: several lines, since the
   * CPU fetches lines of memory in pairs.
   */
  private static final int WRITTEN = 64;

  /**
   * Tiles along runs of the target that follow each other before the next run of the source, so
   * that the pages that are read and written meanwhile stay known.
   */
  private static final long BLOCK_TILES = 32;

  /** Along shorter axes plain runs are as good. */
  private static final int SHORTEST = 8;

  private final int bytes;
  private final Operand from;
  private final Operand to;
  private final Sweep sweep;

  /** The axis of the source's neighbours, and that of the target's. */
  private final int near;

  private final int far;
  private final int[] others;
  private final int nearTile;
  private final int farTile;
  private final long nearTiles;
  private final long farTiles;

  /** Moves whole squares where neighbours are adjacent; null where they don't. */
  private final @Nullable BlockMoves blocks;

  /** The rows and columns of those squares. */
  private final int side;

  TransposedCopy(Sweep sweep, int bytes, Operand from, Operand to, @Nullable BlockMoves blocks) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.sweep = sweep;
    this.near = closest(sweep, 0);
    this.far = closest(sweep, 1);
    this.others = new int[sweep.rank() - 2];
    int next = 0;
    for (int axis = 0; axis < sweep.rank(); axis++) {
      if (axis != near && axis != far) {
        others[next++] = axis;
      }
    }
    boolean dense = stride(0, near) == bytes && stride(1, far) == bytes;
    boolean fits = dense && blocks != null && blocks.fit(from.memory(), to.memory());
    this.side =
        fits && blocks != null ? blocks.side(bytes, Math.min(sweep.dim(near), sweep.dim(far))) : 0;
    this.blocks = side > 0 ? blocks : null;
    this.nearTile = side > 0 ? RUN / bytes : TILE;
    this.farTile = side > 0 ? WRITTEN : TILE;
    this.nearTiles = (sweep.dim(near) + nearTile - 1) / nearTile;
    this.farTiles = (sweep.dim(far) + farTile - 1) / farTile;
  }

  /** Whether runs along the last axis would skip through one of two operands. */
  static boolean fits(Sweep sweep, int bytes) {
    boolean dense = Math.abs(sweep.step(0)) <= bytes && Math.abs(sweep.step(1)) == bytes;
    if (dense || sweep.rank() < 2) {
      return false;
    }
    int near = closest(sweep, 0);
    int far = closest(sweep, 1);
    return near != far && sweep.dim(near) >= SHORTEST && sweep.dim(far) >= SHORTEST;
  }

  void run(@Nullable WorkerPool workers) {
    long tiles = nearTiles * farTiles;
    for (int axis : others) {
      tiles *= sweep.dim(axis);
    }
    Parallel.run(
        workers,
        tiles,
        (long) nearTile * farTile,
        (first, end) -> {
          for (long tile = first; tile < end; tile++) {
            copyTile(tile);
          }
        });
  }

  private void copyTile(long tile) {
    long plane = tile % (nearTiles * farTiles);
    long rest = tile / (nearTiles * farTiles);
    long block = plane / (nearTiles * BLOCK_TILES) * BLOCK_TILES;
    long inBlock = plane - block * nearTiles;
    long blockTiles = Math.min(BLOCK_TILES, farTiles - block);
    long farStart = (block + inBlock % blockTiles) * farTile;
    long nearStart = inBlock / blockTiles * nearTile;
    long fromAt = from.offset() + nearStart * stride(0, near) + farStart * stride(0, far);
    long toAt = to.offset() + nearStart * stride(1, near) + farStart * stride(1, far);
    for (int i = others.length - 1; i >= 0; i--) {
      long place = rest % sweep.dim(others[i]);
      rest /= sweep.dim(others[i]);
      fromAt += place * stride(0, others[i]);
      toAt += place * stride(1, others[i]);
    }
    long rows = Math.min(nearTile, sweep.dim(near) - nearStart);
    long count = Math.min(farTile, sweep.dim(far) - farStart);
    if (blocks != null) {
      blocks.turnAll(
          side,
          new TurnedMatrix(
              bytes,
              from.memory(),
              fromAt,
              stride(0, far),
              to.memory(),
              toAt,
              stride(1, near),
              count,
              rows));
      return;
    }
    for (long row = 0; row < rows; row++) {
      Copies.run(
          bytes,
          from.memory(),
          fromAt + row * stride(0, near),
          stride(0, far),
          to.memory(),
          toAt + row * stride(1, near),
          stride(1, far),
          count);
    }
  }

  private long stride(int operand, int axis) {
    return sweep.stride(operand, axis);
  }

  /** The axis whose neighbours lie closest together, but for repeated elements. */
  private static int closest(Sweep sweep, int operand) {
    int best = sweep.rank() - 1;
    for (int axis = sweep.rank() - 1; axis >= 0; axis--) {
      long distance = Math.abs(sweep.stride(operand, axis));
      long least = Math.abs(sweep.stride(operand, best));
      if (distance != 0 && (least == 0 || distance < least)) {
        best = axis;
      }
    }
    return best;
  }
}
