package org.relaxvm.integrationtests.documents;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Phrases for which the field has a standard term.
 *
 * @param standard the term to use
 * @param phrases what is written instead; never a single word that is English by itself
 */
record DialectTerm(String standard, Pattern phrases) {
  static final List<DialectTerm> ALL =
      List.of(
          of(
              "transpose",
              "turned (?:matri\\w+|squares?|operands?|tiles?|images?)|turns? squares"
                  + "|turning the (?:sums?|images?|results?|vectors?)|sums are turned"
                  + "|(?:is|are) turned"),
          of(
              "GEMM, GEMV, skinny GEMM, matmul",
              "products? of (?:two )?matri\\w+|products? of batches|products? of"
                  + " (?:few|fewer|one|two|four|eight|up to|more|the|large|small|\\d+) ?(?:than"
                  + " )?(?:\\w+ )?rows?"),
          of("boolean", "truth values?"),
          of("compiled", "(?:made|makes?|making) (?:\\w+ ){0,2}ready"),
          of("emulated", "played by|the host plays"),
          of("row-major", "(?:lie|lies|lying|laid) (?:row by row|in rows)"),
          of(
              "adjacent, contiguous",
              "(?:lie|lies|lying|lay) (?:side by side|beside each other|one after the other)"
                  + "|beside each other"),
          of("shared memory", "memory of (?:the|a|its) groups?|group's memory"),
          of(
              "after",
              "behind (?:it|them|each other|one another|that|this|a"
                  + " product|its|their|all|which|\\d+|the"
                  + " (?:last|outputs?|inputs?|results?|products?|parameters?|calls?|class|name|option|legali[sz]ation|arguments?|loops?|others?))|one"
                  + " behind the other"),
          of(
              "iteration",
              "takes? (?:its|their) turns?|turn by turn"
                  + "|(?:no|all|each|every|first|last|many|of|few|same|other|more|two|one) turns?"
                  + "|turns? of (?:a|the|its|their|parallel|each|one|two|all|that)"),
          of(
              "remainder, tail",
              "rest of (?:a|the|its|each) (?:loop|vector|division|range)s?|rests"
                  + "|quotients? and rests?"),
          of(
              "offset, index, location",
              "places? in (?:memory|the picture|the image|a buffer|the matrix)"
                  + "|places of (?:the|its|a|elements?|tensors?)|in the place of"),
          of("image, string", "pictures?"),
          of("annotation", "notes? on (?:the |a |its |each )?(?:block|loop|kernel)s?"),
          of("tensor core", "matrix units?"),
          of("unproven", "hopeful"),
          of("third party", "outsiders?"),
          of("unrelated", "other people's"),
          of("bound by", "(?:is|are) learned from|learns? (?:it|its|them|their|n) from"),
          of(
              "released, returned",
              "given back|gives? (?:it |them |memory )?back|giving (?:it |them )?back"),
          of("shipped, contained", "(?:brings?|brought) along"),
          of("at once, in one kernel", "in one go"),
          of("convolution", "slid(?:es?|ing) over (?:images?|an image|the image)"),
          of("barrier interval", "phases? of (?:a|the) (?:group|kernel|launch|schedule)"));

  /** How often a phrase is in a text. */
  int count(String text) {
    return (int) phrases.matcher(text).results().count();
  }

  private static DialectTerm of(String standard, String phrases) {
    return new DialectTerm(
        standard, Pattern.compile("\\b(?:" + phrases + ")\\b", Pattern.CASE_INSENSITIVE));
  }
}
