package org.relaxvm.examples.embeddings;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.InputStream;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The tokenizer of BERT models without cases: words, split at punctuation, in the longest pieces of
 * a vocabulary. Immutable; thread-safe.
 */
public final class WordPiece {
  private static final int LONGEST_WORD = 100;
  private static final String CONTINUATION = "##";

  private final Map<String, Integer> vocabulary;
  private final int unknown;
  private final int first;
  private final int last;

  private WordPiece(Map<String, Integer> vocabulary) {
    this.vocabulary = vocabulary;
    this.unknown = id("[UNK]");
    this.first = id("[CLS]");
    this.last = id("[SEP]");
  }

  /** Reads the vocabulary of a {@code tokenizer.json}. */
  public static WordPiece read(InputStream json) throws IOException {
    Map<String, Object> root = JSON.std.mapFrom(json);
    Map<?, ?> model = (Map<?, ?>) Objects.requireNonNull(root.get("model"));
    Map<String, Integer> vocabulary = new HashMap<>();
    ((Map<?, ?>) Objects.requireNonNull(model.get("vocab")))
        .forEach((token, id) -> vocabulary.put((String) token, ((Number) id).intValue()));
    return new WordPiece(vocabulary);
  }

  private int id(String token) {
    return Objects.requireNonNull(vocabulary.get(token), token);
  }

  /**
   * The ids of a sentence, between those that mark its begin and end.
   *
   * @param limit ids at most; what is longer is cut off
   */
  public long[] encode(String sentence, int limit) {
    List<Integer> ids = new ArrayList<>();
    ids.add(first);
    for (String word : words(sentence)) {
      ids.addAll(pieces(word));
    }
    List<Integer> kept = ids.subList(0, Math.min(ids.size(), limit - 1));
    long[] result = new long[kept.size() + 1];
    for (int i = 0; i < kept.size(); i++) {
      result[i] = kept.get(i);
    }
    result[kept.size()] = last;
    return result;
  }

  /** Words in lower case without accents; each punctuation mark and Chinese character is one. */
  private static List<String> words(String sentence) {
    String plain = Normalizer.normalize(sentence.toLowerCase(Locale.ROOT), Normalizer.Form.NFD);
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    plain
        .codePoints()
        .filter(c -> c != 0 && c != 0xFFFD && Character.getType(c) != Character.NON_SPACING_MARK)
        .forEach(
            c -> {
              boolean isBlank = Character.isWhitespace(c) || Character.isSpaceChar(c);
              boolean isAlone = isPunctuation(c) || isChinese(c);
              if ((isBlank || isAlone) && !word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
              }
              if (isAlone) {
                words.add(Character.toString(c));
              } else if (!isBlank && !Character.isISOControl(c)) {
                word.appendCodePoint(c);
              }
            });
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }

  private static boolean isPunctuation(int c) {
    boolean isAscii = c > ' ' && c < 127 && !Character.isLetterOrDigit(c);
    return isAscii
        || switch (Character.getType(c)) {
          case Character.CONNECTOR_PUNCTUATION,
              Character.DASH_PUNCTUATION,
              Character.START_PUNCTUATION,
              Character.END_PUNCTUATION,
              Character.INITIAL_QUOTE_PUNCTUATION,
              Character.FINAL_QUOTE_PUNCTUATION,
              Character.OTHER_PUNCTUATION ->
              true;
          default -> false;
        };
  }

  private static boolean isChinese(int c) {
    return (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0x3400 && c <= 0x4DBF)
        || (c >= 0x20000 && c <= 0x2CEAF)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0x2F800 && c <= 0x2FA1F);
  }

  /** The longest pieces of the vocabulary from the begin of a word on. */
  private List<Integer> pieces(String word) {
    List<Integer> pieces = new ArrayList<>();
    int length = word.length();
    if (word.codePointCount(0, length) > LONGEST_WORD) {
      return List.of(unknown);
    }
    int begin = 0;
    while (begin < length) {
      int end = length;
      Integer found = null;
      while (found == null && end > begin) {
        String piece = (begin == 0 ? "" : CONTINUATION) + word.substring(begin, end);
        found = vocabulary.get(piece);
        if (found == null) {
          end = word.offsetByCodePoints(end, -1);
        }
      }
      if (found == null) {
        return List.of(unknown);
      }
      pieces.add(found);
      begin = end;
    }
    return pieces;
  }
}
