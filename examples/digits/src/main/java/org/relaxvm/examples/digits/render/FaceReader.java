package org.relaxvm.examples.digits.render;

import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.fontbox.ttf.OTFParser;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;

/** Reads the digit outlines of a TrueType or OpenType font from the class path. Stateless. */
final class FaceReader {
  private FaceReader() {}

  /**
   * Reads one face.
   *
   * @param resource absolute class-path name ending in {@code .ttf} or {@code .otf}
   * @throws IOException if the resource is missing or is no usable font
   */
  static Face read(String resource) throws IOException {
    try (InputStream in = FaceReader.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException(
            "font " + resource + " is not on the class path; is its jar a dependency?");
      }
      RandomAccessReadBuffer bytes = new RandomAccessReadBuffer(in);
      try (TrueTypeFont font =
          resource.endsWith(".otf") ? new OTFParser().parse(bytes) : new TTFParser().parse(bytes)) {
        return new Face(faceName(resource), outlines(font));
      }
    }
  }

  private static String faceName(String resource) {
    return resource.substring(resource.lastIndexOf('/') + 1, resource.lastIndexOf('.'));
  }

  private static List<Path2D> outlines(TrueTypeFont font) throws IOException {
    List<Path2D> outlines = new ArrayList<>();
    for (int digit = 0; digit < 10; digit++) {
      // Looks the glyph up by code point: many fonts carry no glyph names.
      outlines.add(normalised(font.getPath(String.format("uni%04X", '0' + digit))));
    }
    return outlines;
  }

  private static Path2D normalised(Path2D path) {
    Rectangle2D bounds = path.getBounds2D();
    double scale = 1 / bounds.getHeight();
    AffineTransform toUnit = AffineTransform.getScaleInstance(scale, -scale);
    toUnit.translate(-bounds.getCenterX(), -bounds.getCenterY());
    return new Path2D.Double(path, toUnit);
  }
}
