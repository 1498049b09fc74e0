/** What values of a graph are while it is imported. */
@NullMarked
package org.relaxvm.interoponnx.value;

import org.jspecify.annotations.NullMarked;
