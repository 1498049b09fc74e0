/** How a model is imported, and what is reported about it. */
@NullMarked
package org.relaxvm.interoponnx.options;

import org.jspecify.annotations.NullMarked;
