package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Winograd's transformation for windows of 3 x 3 whose results come in squares of 2 x 2: pieces of
 * 4 x 4 of the image and windows become 16 numbers each, whose 16 products, summed over the
 * channels, become a square of results. That is 16 multiplications instead of 36. Vectors run along
 * channels.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why does Winograd use 2 x 2 tiles?"
 */
final class WinogradTransform {
  /** Numbers that a piece of the image becomes. */
  static final int POINTS = 16;

  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();

  private WinogradTransform() {}

  /** Transforms a window: {@code into[i]}, from {@code w[at + 0..8]}. */
  static void window(float[] w, int at, float[] into) {
    double[] columns = new double[12];
    for (int x = 0; x < 3; x++) {
      double a = w[at + x];
      double b = w[at + 3 + x];
      double c = w[at + 6 + x];
      columns[x] = a;
      columns[3 + x] = (a + b + c) / 2;
      columns[6 + x] = (a - b + c) / 2;
      columns[9 + x] = c;
    }
    for (int y = 0; y < 4; y++) {
      double a = columns[3 * y];
      double b = columns[3 * y + 1];
      double c = columns[3 * y + 2];
      into[4 * y] = (float) a;
      into[4 * y + 1] = (float) ((a + b + c) / 2);
      into[4 * y + 2] = (float) ((a - b + c) / 2);
      into[4 * y + 3] = (float) c;
    }
  }

  /**
   * Transforms a row of pieces of the image, which overlap by half.
   *
   * @param pixels the upper left pixel of the first piece is at {@code at}, the next one {@code
   *     step} further, the one below {@code row} further; a pixel has a number for each channel
   * @param channels a multiple of the lanes of a vector
   * @param into number {@code i} of the first piece is at {@code to + i * pointStep}, that of the
   *     next one {@code pieceStep} further
   */
  static void image(
      float[] pixels,
      int at,
      int step,
      int row,
      int channels,
      int pieces,
      float[] into,
      int to,
      int pieceStep,
      int pointStep) {
    for (int piece = 0; piece < pieces; piece++) {
      piece(
          pixels,
          at + 2 * piece * step,
          step,
          row,
          channels,
          into,
          to + piece * pieceStep,
          pointStep);
    }
  }

  private static void piece(
      float[] pixels,
      int at,
      int step,
      int row,
      int channels,
      float[] into,
      int to,
      int pointStep) {
    int at1 = at + row;
    int at2 = at1 + row;
    int at3 = at2 + row;
    for (int c = 0; c < channels; c += LANES) {
      FloatVector d0 = FloatVector.fromArray(SPECIES, pixels, at + c);
      FloatVector d1 = FloatVector.fromArray(SPECIES, pixels, at1 + c);
      FloatVector d2 = FloatVector.fromArray(SPECIES, pixels, at2 + c);
      FloatVector d3 = FloatVector.fromArray(SPECIES, pixels, at3 + c);
      FloatVector a0 = d0.sub(d2);
      FloatVector a1 = d1.add(d2);
      FloatVector a2 = d2.sub(d1);
      FloatVector a3 = d1.sub(d3);
      d0 = FloatVector.fromArray(SPECIES, pixels, at + step + c);
      d1 = FloatVector.fromArray(SPECIES, pixels, at1 + step + c);
      d2 = FloatVector.fromArray(SPECIES, pixels, at2 + step + c);
      d3 = FloatVector.fromArray(SPECIES, pixels, at3 + step + c);
      FloatVector b0 = d0.sub(d2);
      FloatVector b1 = d1.add(d2);
      FloatVector b2 = d2.sub(d1);
      FloatVector b3 = d1.sub(d3);
      d0 = FloatVector.fromArray(SPECIES, pixels, at + 2 * step + c);
      d1 = FloatVector.fromArray(SPECIES, pixels, at1 + 2 * step + c);
      d2 = FloatVector.fromArray(SPECIES, pixels, at2 + 2 * step + c);
      d3 = FloatVector.fromArray(SPECIES, pixels, at3 + 2 * step + c);
      FloatVector c0 = d0.sub(d2);
      FloatVector c1 = d1.add(d2);
      FloatVector c2 = d2.sub(d1);
      FloatVector c3 = d1.sub(d3);
      d0 = FloatVector.fromArray(SPECIES, pixels, at + 3 * step + c);
      d1 = FloatVector.fromArray(SPECIES, pixels, at1 + 3 * step + c);
      d2 = FloatVector.fromArray(SPECIES, pixels, at2 + 3 * step + c);
      d3 = FloatVector.fromArray(SPECIES, pixels, at3 + 3 * step + c);
      int next = to + c;
      a0.sub(c0).intoArray(into, next);
      b0.add(c0).intoArray(into, next + pointStep);
      c0.sub(b0).intoArray(into, next + 2 * pointStep);
      b0.sub(d0.sub(d2)).intoArray(into, next + 3 * pointStep);
      next += 4 * pointStep;
      a1.sub(c1).intoArray(into, next);
      b1.add(c1).intoArray(into, next + pointStep);
      c1.sub(b1).intoArray(into, next + 2 * pointStep);
      b1.sub(d1.add(d2)).intoArray(into, next + 3 * pointStep);
      next += 4 * pointStep;
      a2.sub(c2).intoArray(into, next);
      b2.add(c2).intoArray(into, next + pointStep);
      c2.sub(b2).intoArray(into, next + 2 * pointStep);
      b2.sub(d2.sub(d1)).intoArray(into, next + 3 * pointStep);
      next += 4 * pointStep;
      a3.sub(c3).intoArray(into, next);
      b3.add(c3).intoArray(into, next + pointStep);
      c3.sub(b3).intoArray(into, next + 2 * pointStep);
      b3.sub(d1.sub(d3)).intoArray(into, next + 3 * pointStep);
    }
  }

  /**
   * Transforms sums of products back, a row of squares.
   *
   * @param sums number {@code i} of the first square is at {@code at + i * pointStep}, that of the
   *     next one {@code width} further
   * @param width channels, a multiple of the lanes of a vector
   * @param columns results in a row; the last square may be cut
   * @param into the upper left result is at {@code to}, the next one {@code width} further, the one
   *     below {@code columns * width} further
   * @param hasLower whether there is a lower row
   * @param waste place of {@code width} numbers for results that are cut off
   */
  static void results(
      float[] sums,
      int at,
      int pointStep,
      int width,
      int columns,
      float[] into,
      int to,
      boolean hasLower,
      int waste) {
    int row = columns * width;
    for (int x = 0; x < columns; x += 2) {
      int right = x + 1 < columns ? to + width : waste;
      int lower = hasLower ? to + row : waste;
      int last = hasLower && x + 1 < columns ? to + row + width : waste;
      square(sums, at, pointStep, width, into, to, right, lower, last);
      at += width;
      to += 2 * width;
    }
  }

  private static void square(
      float[] sums,
      int at,
      int pointStep,
      int width,
      float[] into,
      int to,
      int right,
      int lower,
      int last) {
    for (int c = 0; c < width; c += LANES) {
      int next = at + c;
      FloatVector m0 = FloatVector.fromArray(SPECIES, sums, next);
      FloatVector m1 = FloatVector.fromArray(SPECIES, sums, next + 4 * pointStep);
      FloatVector m2 = FloatVector.fromArray(SPECIES, sums, next + 8 * pointStep);
      FloatVector m3 = FloatVector.fromArray(SPECIES, sums, next + 12 * pointStep);
      FloatVector a0 = m0.add(m1).add(m2);
      FloatVector a1 = m1.sub(m2).sub(m3);
      next += pointStep;
      m0 = FloatVector.fromArray(SPECIES, sums, next);
      m1 = FloatVector.fromArray(SPECIES, sums, next + 4 * pointStep);
      m2 = FloatVector.fromArray(SPECIES, sums, next + 8 * pointStep);
      m3 = FloatVector.fromArray(SPECIES, sums, next + 12 * pointStep);
      FloatVector b0 = m0.add(m1).add(m2);
      FloatVector b1 = m1.sub(m2).sub(m3);
      next += pointStep;
      m0 = FloatVector.fromArray(SPECIES, sums, next);
      m1 = FloatVector.fromArray(SPECIES, sums, next + 4 * pointStep);
      m2 = FloatVector.fromArray(SPECIES, sums, next + 8 * pointStep);
      m3 = FloatVector.fromArray(SPECIES, sums, next + 12 * pointStep);
      FloatVector c0 = m0.add(m1).add(m2);
      FloatVector c1 = m1.sub(m2).sub(m3);
      next += pointStep;
      m0 = FloatVector.fromArray(SPECIES, sums, next);
      m1 = FloatVector.fromArray(SPECIES, sums, next + 4 * pointStep);
      m2 = FloatVector.fromArray(SPECIES, sums, next + 8 * pointStep);
      m3 = FloatVector.fromArray(SPECIES, sums, next + 12 * pointStep);
      FloatVector d0 = m0.add(m1).add(m2);
      FloatVector d1 = m1.sub(m2).sub(m3);
      a0.add(b0).add(c0).intoArray(into, to + c);
      b0.sub(c0).sub(d0).intoArray(into, right + c);
      a1.add(b1).add(c1).intoArray(into, lower + c);
      b1.sub(c1).sub(d1).intoArray(into, last + c);
    }
  }
}
