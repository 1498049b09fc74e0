/** Images: other sizes, coordinates that tensors hold, regions, patches, boxes. */
@NullMarked
package org.relaxvm.interoponnx.operator.image;

import org.jspecify.annotations.NullMarked;
