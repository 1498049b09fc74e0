package org.relaxvm.builtins;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The boxes that are kept of those that overlap: for each image and class those with the highest
 * scores, each unless it overlaps too much with one that is kept.
 */
final class NonMaxSuppression {
  private static final String SIGNATURE =
      "relax.run.non_max_suppression(boxes, scores, max_output, overlap, threshold,"
          + " center_point_box)";

  private final double[] boxes;
  private final double[] scores;
  private final int count;
  private final int classes;
  private final double overlap;
  private final double threshold;
  private final long limit;

  private NonMaxSuppression(
      double[] boxes,
      double[] scores,
      int count,
      int classes,
      long limit,
      double overlap,
      double threshold) {
    this.boxes = boxes;
    this.scores = scores;
    this.count = count;
    this.classes = classes;
    this.limit = limit;
    this.overlap = overlap;
    this.threshold = threshold;
  }

  static void call(CallArgs args, CallResult result) {
    args.requireCount(SIGNATURE, 6);
    Tensor boxes = Devices.onHost(args, args.tensorAt(0));
    Tensor scores = Devices.onHost(args, args.tensorAt(1));
    requireShapes(boxes.shape(), scores.shape());
    double[] corners = boxes.toDoubleArray();
    for (int box = 0; box < corners.length; box += 4) {
      order(corners, box, args.booleanAt(5));
    }
    NonMaxSuppression run =
        new NonMaxSuppression(
            corners,
            scores.toDoubleArray(),
            (int) boxes.shape().dim(1),
            (int) scores.shape().dim(1),
            HostIntegers.at(args, 2),
            HostNumbers.at(args, 3),
            HostNumbers.at(args, 4));
    result.set(run.kept((int) boxes.shape().dim(0)));
  }

  private static void requireShapes(Shape boxes, Shape scores) {
    boolean right =
        boxes.rank() == 3
            && scores.rank() == 3
            && boxes.dim(2) == 4
            && scores.dim(0) == boxes.dim(0)
            && scores.dim(2) == boxes.dim(1);
    if (!right) {
      throw new CallException(
          ErrorKind.VALUE,
          "expected boxes [b, n, 4] and scores [b, c, n], but got " + boxes + " and " + scores);
    }
  }

  /** Makes the lower coordinates of two corners the first ones. */
  private static void order(double[] corners, int box, boolean isCenter) {
    double a = corners[box];
    double b = corners[box + 1];
    double c = corners[box + 2];
    double d = corners[box + 3];
    if (isCenter) {
      corners[box] = b - d / 2;
      corners[box + 1] = a - c / 2;
      corners[box + 2] = b + d / 2;
      corners[box + 3] = a + c / 2;
    } else {
      corners[box] = Math.min(a, c);
      corners[box + 1] = Math.min(b, d);
      corners[box + 2] = Math.max(a, c);
      corners[box + 3] = Math.max(b, d);
    }
  }

  private Tensor kept(int images) {
    List<Long> rows = new ArrayList<>();
    for (int image = 0; image < images; image++) {
      for (int category = 0; category < classes; category++) {
        for (int box : kept(image, category)) {
          rows.add((long) image);
          rows.add((long) category);
          rows.add((long) box);
        }
      }
    }
    return Tensor.of(
        rows.stream().mapToLong(Long::longValue).toArray(), Shape.of(rows.size() / 3, 3));
  }

  private List<Integer> kept(int image, int category) {
    int first = (image * classes + category) * count;
    List<Integer> candidates =
        IntStream.range(0, count)
            .filter(box -> scores[first + box] > threshold)
            .boxed()
            .sorted(Comparator.comparingDouble(box -> -scores[first + box]))
            .toList();
    List<Integer> kept = new ArrayList<>();
    for (int box : candidates) {
      if (kept.size() >= limit) {
        break;
      }
      if (kept.stream().noneMatch(other -> overlaps(image, other, box))) {
        kept.add(box);
      }
    }
    return kept;
  }

  private boolean overlaps(int image, int one, int other) {
    int a = (image * count + one) * 4;
    int b = (image * count + other) * 4;
    double height = Math.min(boxes[a + 2], boxes[b + 2]) - Math.max(boxes[a], boxes[b]);
    double width = Math.min(boxes[a + 3], boxes[b + 3]) - Math.max(boxes[a + 1], boxes[b + 1]);
    double common = Math.max(height, 0) * Math.max(width, 0);
    double union = area(a) + area(b) - common;
    return area(a) > 0 && area(b) > 0 && common / union > overlap;
  }

  private double area(int box) {
    return (boxes[box + 2] - boxes[box]) * (boxes[box + 3] - boxes[box + 1]);
  }
}
