package org.relaxvm.examples.embeddings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Vectors of sentences, beside those of LangChain4j's AllMiniLmL6V2EmbeddingModel 1.19.0-beta29.
 */
class SentenceEncoderTest {
  private static List<String> lines(String resource) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SentenceEncoderTest.class.getResourceAsStream(resource))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Test
  void vectorsAreThoseOfLangChain4j() throws IOException {
    List<String> sentences = lines("sentences.txt");
    List<String> expected = lines("vectors.txt");
    try (SentenceEncoder encoder = new SentenceEncoder("cpu")) {
      float[][] together = encoder.encode(sentences);
      for (int i = 0; i < sentences.size(); i++) {
        float[] want = floats(expected.get(i));
        assertThat(together[i]).as(sentences.get(i)).containsExactly(want, within(1e-4f));
      }
      float[][] alone = encoder.encode(sentences.subList(0, 1));
      assertThat(alone[0]).containsExactly(floats(expected.getFirst()), within(1e-4f));
    }
  }

  private static float[] floats(String line) {
    String[] parts = line.strip().split(" ");
    float[] values = new float[parts.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.parseFloat(parts[i]);
    }
    return values;
  }

  @Test
  void sentencesOfOneMeaningAreNear() {
    try (SentenceEncoder encoder = new SentenceEncoder("cpu")) {
      float[][] v = encoder.encode(SimilarSentences.SENTENCES);
      assertThat(SimilarSentences.cosine(v[0], v[0])).isCloseTo(1, within(1e-5f));
      assertThat(SimilarSentences.cosine(v[3], v[4]))
          .isGreaterThan(SimilarSentences.cosine(v[3], v[0]));
      assertThat(SimilarSentences.cosine(v[5], v[6]))
          .isGreaterThan(SimilarSentences.cosine(v[5], v[9]));
    }
  }
}
