package org.relaxvm.examples.embeddings;

import java.util.List;

/** Prints how similar ten sentences are: the cosines of the angles between their vectors. */
public final class SimilarSentences {
  static final List<String> SENTENCES =
      List.of(
          "The cat sits on the mat.",
          "A kitten is lying on the rug.",
          "Dogs like to chase balls in the park.",
          "The stock market fell sharply today.",
          "Shares lost a lot of value this afternoon.",
          "How do I bake bread without yeast?",
          "A recipe for a loaf that needs no yeast",
          "Java programs run on a virtual machine.",
          "The JVM executes bytecode.",
          "It will rain in Paris tomorrow.");

  private SimilarSentences() {}

  /** Prints the table; an argument names the device. */
  public static void main(String[] args) {
    String device = args.length == 0 ? "cpu" : args[0];
    try (SentenceEncoder encoder = new SentenceEncoder(device)) {
      float[][] vectors = encoder.encode(SENTENCES);
      System.out.print(table(vectors));
    }
  }

  private static String table(float[][] vectors) {
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < vectors.length; row++) {
      for (float[] other : vectors) {
        text.append("%6.2f".formatted(cosine(vectors[row], other)));
      }
      text.append("   ").append(SENTENCES.get(row)).append('\n');
    }
    return text.toString();
  }

  /** The cosine of the angle between unit vectors. */
  static float cosine(float[] a, float[] b) {
    float sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
