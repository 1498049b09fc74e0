package org.relaxvm.examples.digits.render;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws dark digits on light paper, the way a photographed or scanned digit looks. Immutable; can
 * be used from many threads.
 */
public final class DigitRenderer {
  private final List<Face> faces;

  /** Makes a renderer that picks each picture's face from {@code faces}. */
  public DigitRenderer(List<Face> faces) {
    this.faces = List.copyOf(faces);
  }

  /**
   * Draws one digit with a random face and {@link Distortion}, all determined by the seed.
   *
   * @param digit 0 to 9
   * @param size image side in pixels
   */
  public GreyImage render(int digit, int size, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Face face = faces.get(random.nextInt(faces.size()));
    return render(face, digit, size, Distortion.random(random), random);
  }

  private static GreyImage render(
      Face face, int digit, int size, Distortion distortion, SplittableRandom random) {
    float[] coverage =
        new GaussianBlur(distortion.blur() * size)
            .apply(coverage(face.outline(digit), size, distortion), size);
    byte[] pixels = new byte[size * size];
    for (int i = 0; i < pixels.length; i++) {
      double across = (double) (i % size) / size - 0.5;
      double paper = distortion.paper() + distortion.gradient() * across;
      double grey = paper + (distortion.ink() - paper) * coverage[i];
      grey += distortion.noise() * random.nextGaussian();
      pixels[i] = (byte) Math.clamp(Math.round(grey), 0, 255);
    }
    return new GreyImage(size, pixels);
  }

  /** Returns how much of each pixel the glyph covers, 0 to 1. */
  private static float[] coverage(Shape outline, int size, Distortion distortion) {
    BufferedImage image = new BufferedImage(size, size, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    Shape glyph = insideImage(distortion.placement(size).createTransformedShape(outline), size);
    graphics.setColor(Color.WHITE);
    graphics.fill(glyph);
    graphics.setColor(distortion.thickness() < 0 ? Color.BLACK : Color.WHITE);
    graphics.setStroke(new BasicStroke((float) Math.abs(distortion.thickness() * size)));
    graphics.draw(glyph);
    graphics.dispose();
    int[] rgb = image.getRGB(0, 0, size, size, null, 0, size);
    float[] coverage = new float[rgb.length];
    for (int i = 0; i < rgb.length; i++) {
      coverage[i] = (rgb[i] & 0xFF) / 255f;
    }
    return coverage;
  }

  /** Moves a glyph that the distortion pushed over an edge back into the image, whole. */
  private static Shape insideImage(Shape glyph, int size) {
    Rectangle2D bounds = glyph.getBounds2D();
    double margin = 0.03 * size;
    double room = size - 2 * margin;
    double scale = Math.min(1, room / Math.max(bounds.getWidth(), bounds.getHeight()));
    double halfWidth = scale * bounds.getWidth() / 2;
    double halfHeight = scale * bounds.getHeight() / 2;
    double x = Math.clamp(bounds.getCenterX(), margin + halfWidth, size - margin - halfWidth);
    double y = Math.clamp(bounds.getCenterY(), margin + halfHeight, size - margin - halfHeight);
    AffineTransform fit = AffineTransform.getTranslateInstance(x, y);
    fit.scale(scale, scale);
    fit.translate(-bounds.getCenterX(), -bounds.getCenterY());
    return fit.createTransformedShape(glyph);
  }
}
