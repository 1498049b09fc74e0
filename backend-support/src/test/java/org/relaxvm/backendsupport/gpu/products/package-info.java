/** Tests of large sums of products. */
@NullMarked
package org.relaxvm.backendsupport.gpu.products;

import org.jspecify.annotations.NullMarked;
