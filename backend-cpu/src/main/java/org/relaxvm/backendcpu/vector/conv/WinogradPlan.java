package org.relaxvm.backendcpu.vector.conv;

import org.relaxvm.backendcpu.kernel.Convolution;
import org.relaxvm.backendcpu.kernel.Window;

/**
 * Which convolutions Winograd's transformation is for, and how they are cut: into blocks of rows of
 * pieces of the image, those of all images in turn. It does not depend on the threads.
 *
 * @param pieces of the image in a row
 * @param rowsPerImage rows of pieces of an image
 * @param rows of all images
 * @param blockRows rows of a block; the last one may have fewer
 */
record WinogradPlan(int pieces, long rowsPerImage, long rows, int blockRows) {
  /** Results of a piece along an axis. */
  static final int SQUARE = 2;

  private static final int OVERLAP = 2;

  /** Channels below which it is not faster, as measured: transforming costs too much. */
  private static final int LEAST_CHANNELS = 16;

  /** Pieces of all images below which a panel of weights is read for too few products. */
  private static final int LEAST_PIECES = 8;

  /** The same for weights that do not stay in the third cache. */
  private static final int LEAST_PIECES_OF_MANY = 64;

  private static final int MANY_BYTES = 20 << 20;

  /** Transformed pieces of a block: about the second cache. */
  private static final int POINT_BYTES = 900 << 10;

  /** Transformed pieces of a row at most: with more, images are cut too little for threads. */
  private static final int MOST_POINT_BYTES = 4 << 20;

  /** What reading the weights of a block costs, in pieces. */
  private static final int WEIGHTS = 4;

  /** Whether it is faster than a direct sum: a rule that was measured. */
  static boolean isFaster(Convolution convolution) {
    double columns = Math.ceilDiv(convolution.out().dim(3), (long) SQUARE);
    double rows = Math.ceilDiv(convolution.out().dim(2), (long) SQUARE);
    double weights = pieceBytes(convolution) * convolution.outputsPerGroup();
    return convolution.groups() == 1
        && isPlain(convolution.windows().vertical())
        && isPlain(convolution.windows().horizontal())
        && convolution.inputsPerGroup() >= LEAST_CHANNELS
        && convolution.outputsPerGroup() >= LEAST_CHANNELS
        && columns * rows * convolution.out().dim(0)
            >= (weights > MANY_BYTES ? LEAST_PIECES_OF_MANY : LEAST_PIECES)
        && columns * pieceBytes(convolution) <= MOST_POINT_BYTES;
  }

  private static boolean isPlain(Window window) {
    return window.size() == 3 && window.stride() == 1 && window.dilation() == 1;
  }

  private static double pieceBytes(Convolution convolution) {
    return (double) WinogradTransform.POINTS * convolution.inputsPerGroup() * Float.BYTES;
  }

  /** A plan, for a tile that multiplies some pieces at once. */
  static WinogradPlan of(Convolution convolution, WindowTile tile) {
    long columns = Math.ceilDiv(convolution.out().dim(3), (long) SQUARE);
    long rowsPerImage = Math.ceilDiv(convolution.out().dim(2), (long) SQUARE);
    long rows = rowsPerImage * convolution.out().dim(0);
    int most =
        (int) Math.clamp((long) (POINT_BYTES / (pieceBytes(convolution) * columns)), 1, rows);
    int best = 1;
    double least = Double.POSITIVE_INFINITY;
    for (int blockRows = most; blockRows >= 1; blockRows--) {
      long blocks = rows / blockRows;
      double cost =
          blocks * cost(tile, blockRows * columns) + cost(tile, rows % blockRows * columns);
      if (cost < least) {
        least = cost;
        best = blockRows;
      }
    }
    return new WinogradPlan((int) columns, rowsPerImage, rows, best);
  }

  private static double cost(WindowTile tile, long pieces) {
    if (pieces == 0) {
      return 0;
    }
    double cost = WEIGHTS;
    for (long i = 0; i < pieces; ) {
      int height = tile.pairRows((int) Math.min(pieces - i, Integer.MAX_VALUE));
      cost += height;
      i += height;
    }
    return cost;
  }

  /** Pixels of a row that the pieces cover. */
  int width() {
    return SQUARE * pieces + OVERLAP;
  }

  /** Rows of pixels that a block covers. */
  int height() {
    return SQUARE * blockRows + OVERLAP;
  }

  /** How many blocks there are. */
  long blocks() {
    return Math.ceilDiv(rows, (long) blockRows);
  }
}
