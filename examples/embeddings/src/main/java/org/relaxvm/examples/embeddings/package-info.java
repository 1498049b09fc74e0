/** Sentence embeddings with an ONNX model. */
@NullMarked
package org.relaxvm.examples.embeddings;

import org.jspecify.annotations.NullMarked;
