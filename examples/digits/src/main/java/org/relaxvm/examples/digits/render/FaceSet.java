package org.relaxvm.examples.digits.render;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Font faces to draw from. Whole typefaces are either trained on or held out, so that the
 * evaluation shows digits of designs that the network has never seen.
 *
 * @param resources class-path names of the font files
 */
public record FaceSet(List<String> resources) {
  private static final String DEJAVU = "/net/sf/jasperreports/fonts/dejavu/";
  private static final String FLATLAF = "/com/formdev/flatlaf/fonts/";
  private static final String JASPER = "/com/mpobjects/jasperreports/fonts/";

  /** Copies the list. */
  public FaceSet {
    resources = List.copyOf(resources);
  }

  /** Returns the faces of the training images: 40 of DejaVu, Inter, JetBrains Mono, Liberation. */
  public static FaceSet training() {
    return new FaceSet(
        Stream.of(
                styles(DEJAVU + "DejaVuSans@.ttf", "", "-Oblique", "-Bold", "-BoldOblique"),
                styles(
                    DEJAVU + "DejaVuSansCondensed@.ttf", "", "-Oblique", "-Bold", "-BoldOblique"),
                styles(DEJAVU + "DejaVuSansMono@.ttf", "", "-Oblique", "-Bold", "-BoldOblique"),
                styles(DEJAVU + "DejaVuSerif@.ttf", "", "-Italic", "-Bold", "-BoldItalic"),
                styles(DEJAVU + "DejaVuSerifCondensed@.ttf", "", "-Italic", "-Bold", "-BoldItalic"),
                fourStyles(FLATLAF + "inter/Inter@.otf"),
                styles(FLATLAF + "inter/Inter@.otf", "-Light", "-LightItalic"),
                styles(FLATLAF + "inter/Inter@.otf", "-SemiBold", "-SemiBoldItalic"),
                fourStyles(FLATLAF + "jetbrains_mono/JetBrainsMono@.ttf"),
                fourStyles(JASPER + "liberation/LiberationSans@.ttf"),
                fourStyles(JASPER + "liberation/LiberationMono@.ttf"))
            .flatMap(faces -> faces)
            .toList());
  }

  /** Returns faces that no training image uses: 16 of Roboto, Lato and Liberation Serif. */
  public static FaceSet heldOut() {
    return new FaceSet(
        Stream.of(
                fourStyles(FLATLAF + "roboto/Roboto@.ttf"),
                styles(FLATLAF + "roboto/Roboto@.ttf", "-Light", "-LightItalic"),
                styles(FLATLAF + "roboto/Roboto@.ttf", "-Medium", "-MediumItalic"),
                fourStyles(JASPER + "lato/Lato@.ttf"),
                fourStyles(JASPER + "liberation/LiberationSerif@.ttf"))
            .flatMap(faces -> faces)
            .toList());
  }

  /**
   * Reads every face of the set; takes about two seconds.
   *
   * @throws IOException if a font jar is missing from the class path or damaged
   */
  public List<Face> load() throws IOException {
    List<Face> faces = new ArrayList<>();
    for (String resource : resources) {
      faces.add(FaceReader.read(resource));
    }
    return List.copyOf(faces);
  }

  private static Stream<String> fourStyles(String pattern) {
    return styles(pattern, "-Regular", "-Italic", "-Bold", "-BoldItalic");
  }

  private static Stream<String> styles(String pattern, String... styles) {
    return Stream.of(styles).map(style -> pattern.replace("@", style));
  }
}
