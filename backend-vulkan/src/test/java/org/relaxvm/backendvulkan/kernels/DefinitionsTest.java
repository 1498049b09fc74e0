package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which definitions a program gets, and that the library says itself what needs what. */
class DefinitionsTest {
  private static final Definitions SMALL =
      Definitions.of(
          """
          // Not a definition: rv_none.
          //! rv_top needs rv_middle, rv_base
          float rv_top(float x) { return rv_middle(x) + rv_base(x); }
          //! rv_middle needs rv_base
          // Other than rv_other.
          float rv_middle(float x) { return rv_base(x); }
          //! rv_base
          float rv_base(float x) { return x; }
          //! rv_other
          float rv_other(float x) { return x; }
          """);

  @Test
  void whatIsUsedComesFirst() {
    assertThat(SMALL.names()).containsExactly("rv_top", "rv_middle", "rv_base", "rv_other");
    String needed = SMALL.neededBy("void main() { v = rv_top(1.0f); } // rv_other");
    assertThat(needed)
        .isEqualTo(SMALL.text("rv_base") + SMALL.text("rv_middle") + SMALL.text("rv_top"));
  }

  @Test
  void aProgramThatUsesNothingGetsNothing() {
    assertThat(SMALL.neededBy("void main() { float rv_unknown = 1.0f; }")).isEmpty();
  }

  @Test
  void theLinesOfTheLibraryNameWhatIsUsed() {
    Definitions library = MathLibrary.all();
    assertThat(library.names()).contains("rv_exp32", "rv_exp64", "rv_f16", "rv_int8_of_float");
    for (String name : library.names()) {
      String text = library.text(name);
      Set<String> used = Definitions.usesIn(text);
      assertThat(used.remove(name)).as(name + " defines itself").isTrue();
      String line = text.lines().findFirst().orElseThrow();
      int needs = line.indexOf(" needs ");
      Set<String> named =
          needs < 0
              ? Set.of()
              : new TreeSet<>(Arrays.asList(line.substring(needs + 7).split(", ")));
      assertThat(named).as(line).isEqualTo(used);
      assertThat(library.names()).as(line).containsAll(used);
    }
  }
}
