package org.relaxvm.vmcore.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.error.MalformedFileException;

class JsonReaderTest {
  private static final int DOCUMENTS = 2_000;

  private final Random random = new Random(7);

  @Test
  void readsEveryKindOfValue() {
    assertThat(
            JsonReader.read(
                "d",
                """
                 {"a": [1, -2147483649, 9223372036854775808, 0.5, -1e3, 2E-1],
                  "b": {"": null, "t": true, "f": false}, "s": "x\\"\\\\\\/\\b\\f\\n\\r\\t\\u20aC\\ud83d\\ude00ä",
                  "e": [], "o": {}}\s
                """))
        .isEqualTo(
            Map.of(
                "a",
                List.of(1, -2147483649L, new BigInteger("9223372036854775808"), 0.5, -1000.0, 0.2),
                "b",
                fields("", null, "t", true, "f", false),
                "s",
                "x\"\\/\b\f\n\r\t\u20ac\ud83d\ude00ä",
                "e",
                List.of(),
                "o",
                Map.of()));
  }

  private static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return fields;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | 1 | 1 | a value | the end of the document",
        "`{\"a\": 1` | 1 | 8 | ',' or '}' | the end of the document",
        "`{\"a\" 1}` | 1 | 6 | ':' | '1'",
        "`{a: 1}` | 1 | 2 | a name in quotes | 'a'",
        "`{\"a\": 1,}` | 1 | 9 | a name in quotes | '}'",
        "`{\"a\": 1, \"a\": 2}` | 1 | 10 | a name other than the earlier \"a\" | '\"'",
        "`[1,]` | 1 | 4 | a value | ']'",
        "`[1 2]` | 1 | 4 | ',' or ']' | '2'",
        "`[01]` | 1 | 3 | no digit after a leading zero | '1'",
        "`[1.]` | 1 | 4 | a digit | ']'",
        "`[-]` | 1 | 3 | a digit | ']'",
        "`[1e+]` | 1 | 5 | a digit | ']'",
        "`[nul]` | 1 | 2 | a value | 'n'",
        "`[NaN]` | 1 | 2 | a value | 'N'",
        "`[\"\\x\"]` | 1 | 4 | one of \"\\/bfnrtu after a backslash | 'x'",
        "`[\"\\u12g4\"]` | 1 | 7 | four hexadecimal digits | 'g'",
        "`[\"a` | 1 | 4 | '\"' | the end of the document",
        "`{} {}` | 1 | 4 | the end of the document | '{'",
        "`[é]` | 1 | 2 | a value | the character U+00E9",
      })
  void whatIsNoJsonIsRefusedWithItsPosition(
      @Nullable String json, int line, int column, String expected, String got) {
    String text = json == null ? "" : json;
    assertThatThrownBy(() -> JsonReader.read("d", "\n" + text))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "d is not valid JSON: line %d, column %d: expected %s, but got %s"
                .formatted(line + 1, column, expected, got));
  }

  @Test
  void aControlCharacterInAStringIsRefused() {
    assertThatThrownBy(() -> JsonReader.read("d", "[\"a\nb\"]"))
        .hasMessage(
            "d is not valid JSON: line 1, column 4: expected an escaped control character, but got"
                + " the character U+000A");
  }

  @Test
  void nestingIsLimited() {
    assertThat(JsonReader.read("d", "[".repeat(200) + "]".repeat(200))).isInstanceOf(List.class);
    assertThatThrownBy(() -> JsonReader.read("d", "[".repeat(100_000)))
        .hasMessage(
            "d is not valid JSON: line 1, column 201: expected at most 200 nested objects and"
                + " arrays, but got '['");
  }

  @Test
  void numbersAreLimited() {
    assertThatThrownBy(() -> JsonReader.read("d", "9".repeat(1001)))
        .hasMessageContaining("expected a number of at most 1000 characters, but got '9'");
  }

  @Test
  void readsWhatAnotherLibraryWrites() throws IOException {
    for (int i = 0; i < DOCUMENTS; i++) {
      Object value = value(4);
      JSON writer = i % 2 == 0 ? JSON.std : JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT);
      writer = writer.with(JSON.Feature.WRITE_NULL_PROPERTIES);
      assertThat(JsonReader.read("d", writer.asString(value))).isEqualTo(value);
    }
  }

  @Test
  void damagedDocumentsAreReadOrRefused() throws IOException {
    int refused = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      StringBuilder json = new StringBuilder(JSON.std.asString(value(4)));
      for (int change = 0; change < 3; change++) {
        int at = random.nextInt(json.length());
        json.setCharAt(at, "{}[]\",:\\u0e-.\u0000".charAt(random.nextInt(13)));
      }
      try {
        JsonReader.read("d", json.toString());
      } catch (MalformedFileException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(DOCUMENTS / 2);
  }

  private @Nullable Object value(int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 6)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextLong() | Long.MIN_VALUE;
      case 2 -> random.nextGaussian();
      case 3 -> random.nextBoolean() ? null : random.nextBoolean();
      case 4 -> BigInteger.TWO.pow(64 + random.nextInt(64));
      case 5 -> string();
      case 6 -> {
        List<@Nullable Object> items = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          items.add(value(depth - 1));
        }
        yield items;
      }
      default -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
          fields.put(string(), value(depth - 1));
        }
        yield fields;
      }
    };
  }

  private String string() {
    int[] characters = new int[random.nextInt(12)];
    Arrays.setAll(
        characters, i -> random.nextBoolean() ? random.nextInt(128) : random.nextInt(0xD800));
    return new String(characters, 0, characters.length);
  }
}
