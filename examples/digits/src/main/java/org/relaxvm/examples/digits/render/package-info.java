/**
 * Images of digits drawn from font outlines: the training, evaluation and sample pictures of the
 * digits example.
 *
 * <p>Glyph outlines come from TrueType and OpenType files inside jars and are filled in memory, so
 * no installed font, display or font configuration is needed. Every image is a function of its
 * seed. Start with {@link org.relaxvm.examples.digits.render.DigitRenderer}.
 */
@NullMarked
package org.relaxvm.examples.digits.render;

import org.jspecify.annotations.NullMarked;
